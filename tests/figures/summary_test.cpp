// SPDX-License-Identifier: GPL-3.0-or-later
// A llama of 5 layers, hidden 32, MLP 48, 4 heads of 8 (2 for keys and values), vocabulary 96, untied, float32. A layer has
// 2·32 (norms) + 3·32·48 (MLP) + 2·32·32 (q, o) + 2·32·16 (k, v) = 7744 parameters, the whole 5·7744 + 2·96·32 + 32 = 44896.
#include "core/figures/summary.h"

#include "tests/figures/hand_made.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

class Summary : public QObject {
    Q_OBJECT
    std::shared_ptr<const Model> model;

private Q_SLOTS:
    void initTestCase() { model = Model::open(data("archs/llama")); }

    void context_line() { QCOMPARE(model_line(*model), std::string("llama · llama · 5 layers · hidden 32 · 44.9 k parameters · float32")); }

    void sizes_before_and_after() {
        QCOMPARE(size_line(summarise_size(*model, {})), std::string("5 layers · 44.9 k parameters · KV cache 320 bytes per token"));
        // Without two layers: 44896 − 15488 parameters; a token meets 5·7744 + 96·32 = 41792 before and 26304 after.
        QCOMPARE(size_line(summarise_size(*model, LayerSet({1, 2}))),
                 std::string(
                     "3 of 5 layers · 29.4 k of 44.9 k parameters · about 1.59 times as fast · KV cache 192 bytes of 320 bytes per token"));
    }

    void facts() {
        const std::string csv = model_facts(*model).to_csv();
        for (const char* row :
             {"architecture,LlamaForCausalLM\r\n", "layers,5\r\n", "hidden size,32\r\n", "\"4 (2 for keys and values), 8 wide\"\r\n",
              "\"96, head of its own\"\r\n", "parameters,\"44,896\"\r\n", "parameters of a layer,\"7,744\"\r\n",
              "stored as,\"float32, 180 kB\"\r\n", "KV cache,320 bytes per token\r\n"})
            QVERIFY2(contains(csv, row), (row + std::string(" is not in\n") + csv).c_str());
    }

    void layers_as_bars() {
        const Figure figure = layer_sizes(*model, LayerSet({3}));
        QVERIFY(near(figure.series[0].x, {0, 1, 2, 3, 4}));
        QVERIFY(near(figure.series[0].y, std::vector<double>(5, 0.007744)));
        QVERIFY(figure.spans.size() == 1 && figure.spans[0].from == 3);
    }

    void biggest_tensors() {
        const Table table = largest_tensors(*model, 3);
        QCOMPARE(table.rows.size(), std::size_t(3));
        QCOMPARE(
            table.to_csv(),
            std::string("tensor,shape,type,size (MB)\r\nlm_head.weight,96 × 32,F32,0.012288\r\n"
                        "model.embed_tokens.weight,96 × 32,F32,0.012288\r\nmodel.layers.0.mlp.down_proj.weight,32 × 48,F32,0.006144\r\n"));
        QCOMPARE(largest_tensors(*model, 1000).rows.size(), model->tensors().tensors().size());
    }
};

SUTURE_SUITE(Summary)
#include "summary_test.moc"
