#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests resources/export/modeling_suture.py.in and check_export.py: a patched folder of every family computes what the definition says.

    test_template.py [ARCHS [FAMILY…]]

ARCHS holds a tiny checkpoint per family (default: tests/data/archs). patched_folder.py makes the folders and the models
they are compared with; those are compared with the reference logits of expected.json. The exit status is 1 when something
failed.
"""

import copy
import importlib.util
import json
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import check_export  # first: it sets the environment for transformers
import torch
import transformers
from patched_folder import CLASSES, SOURCE, SPELLINGS, cases, reference, stock_model, write_folder
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM

TOLERANCE = 1e-5  # the same operations in the same order; what a patch changes is a thousand times larger
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}", flush=True)


def distance(logits, expected):
    return check_export.largest_difference(logits, expected)


# --- once ------------------------------------------------------------------------------------------------------------


def test_stock_folder(source, work):
    """check_export.py as a program, on a stock folder and on one that isn't there. Once, because it starts a process."""
    expected = json.loads((source / "expected.json").read_text())
    folder, spec = work / f"{source.name}-stock", work / "spec.json"
    stock_model(source).save_pretrained(folder)
    known = [expected["logits_seq1"], expected["logits_seq2_last4"]]
    entry = {"folder": str(folder), "ids": expected["input_ids"], "expected_logits": known, "greedy": 8}
    spec.write_text(json.dumps([entry, {"folder": str(work / "absent"), "ids": []}]))
    program = [sys.executable, str(Path(check_export.__file__)), str(spec)]
    stock, absent = json.loads(subprocess.run(program, stdout=subprocess.PIPE, check=True).stdout)
    expect("error" not in stock, f"{source.name}: check_export.py says {stock.get('error')}")
    expect(max(stock["max_abs_diff"]) < 1e-4, f"{source.name}: check_export.py finds differences {stock['max_abs_diff']} to expected.json")
    for key, other in (("greedy", "greedy"), ("greedy_cached", "greedy_with_cache")):
        expect(stock[key][0] == expected[other], f"{source.name}: check_export.py's {key} is {stock[key][0]}, expected {expected[other]}")
    expect("error" in absent, "check_export.py has no error for a folder that isn't there")


# --- once per family -------------------------------------------------------------------------------------------------


def test_reference(source, expected):
    """The deletion in memory against reference logits, so that both sides can't be wrong together."""
    for case in expected["prune"]:
        logits = check_export.logits_of(reference(source, case["remove"], []), expected["input_ids"][0])
        difference = distance(logits, case["logits_seq1_last4"])
        expect(difference < 1e-4, f"{source.name}: removing {case['remove']} differs from expected.json by {difference:.1e}")


# --- every case of a family ------------------------------------------------------------------------------------------


def test_computes_the_definition(where, folder, source, removed, patches, ids):
    expected_model = reference(source, removed, patches)
    expected = [check_export.logits_of(expected_model, one) for one in ids]
    plain = reference(source, removed, [])
    effect = max(distance(check_export.logits_of(plain, one), logits) for one, logits in zip(ids, expected))
    expect(effect > 1e-2, f"{where}: the patches change the logits by {effect:.1e} only, the test says nothing")

    entry = {"folder": str(folder), "trust_remote_code": True, "ids": ids, "greedy": 8}
    report = check_export.checked(entry | {"expected_logits": [logits.tolist() for logits in expected]})
    if "error" in report:
        expect(False, f"{where}: {report['error']}")
        return
    for keys in ("missing_keys", "unexpected_keys", "mismatched_keys"):
        expect(report[keys] == [], f"{where}: {keys} {report[keys]}")
    difference = max(report["max_abs_diff"])
    expect(difference < TOLERANCE, f"{where}: logits differ by {difference:.1e}")
    greedy = [check_export.greedy_of(expected_model, one, 8, False) for one in ids]
    expect(report["greedy"] == greedy, f"{where}: greedy tokens {report['greedy']}, expected {greedy}")
    expect(report["greedy_cached"] == greedy, f"{where}: greedy tokens with cache {report['greedy_cached']}, expected {greedy}")
    expect(report["resaved_max_abs_diff"] == 0, f"{where}: the re-saved copy differs by {report['resaved_max_abs_diff']:.1e}")
    expect("modeling_suture.py" in report["resaved_files"], f"{where}: the re-saved copy consists of {report['resaved_files']}")
    names = {f"suture.patches.{i}.{key}" for i, (_, values) in enumerate(patches) for key in values}
    expect(report["patch_dtypes"] == dict.fromkeys(names, "float32"), f"{where}: patch dtypes {report['patch_dtypes']}")
    expect(report["patches_exact"], f"{where}: patch values change under dtype=bfloat16")


# --- the case "inside": one seam with P and d ------------------------------------------------------------------------


def test_half_precision(where, folder, source, removed, patches, ids):
    """The model in 16 bits, the patch in float32, by dtype= and by .to()."""
    for dtype in (torch.bfloat16, torch.float16):
        # .to() casts the rotary frequencies too, dtype= doesn't, in the stock models as well.
        loaded = check_export.load(folder, True, dtype)[0], reference(source, removed, patches, dtype)
        cast = check_export.load(folder, True)[0].to(dtype), reference(source, removed, patches).to(dtype)
        for how, (model, stock) in (("dtype=", loaded), (".to", cast)):
            kinds = {name: tensor.dtype for name, tensor in model.state_dict().items()}
            wrong = {name for name, kind in kinds.items() if kind != (torch.float32 if name.startswith("suture.") else dtype)}
            expect(not wrong, f"{where}: under {how} {dtype} these have another dtype: {sorted(wrong)}")
            difference = distance(check_export.logits_of(model, ids[0]), check_export.logits_of(stock, ids[0]))
            expect(difference < TOLERANCE, f"{where}: under {how} {dtype} logits differ by {difference:.1e}")


def test_copies(where, folder, ids):
    """A copy has patches of its own; the config is plain."""
    model, _ = check_export.load(folder, True)
    logits = check_export.logits_of(model, ids[0])
    for how, twin in (("deepcopy", copy.deepcopy(model)), ("pickle", pickle.loads(pickle.dumps(model)))):
        expect(torch.equal(check_export.logits_of(twin, ids[0]), logits), f"{where}: {how} of the model computes something else")
        twin.suture.patches[0].P.data.zero_()
        changed = check_export.logits_of(twin, ids[0])
        expect(not torch.equal(changed, logits), f"{where}: {how} of the model uses the patches of the original")
    config = pickle.loads(pickle.dumps(model.config))
    expect(config.to_dict() == model.config.to_dict(), f"{where}: pickle changes the config")
    expect(json.loads(json.dumps(config.suture)) == config.suture, f"{where}: the config member suture is not plain JSON")


def test_devices(where, folder):
    """Through the meta device and into 16 bits, then filled strictly: nothing is lost, the patch stays in float32."""
    model, _ = check_export.load(folder, True)
    config = AutoConfig.from_pretrained(folder, trust_remote_code=True)
    with torch.device("meta"):
        empty = AutoModelForCausalLM.from_config(config, trust_remote_code=True)
    empty = empty.to(torch.bfloat16).to_empty(device="cpu")
    empty.load_state_dict(model.state_dict(), strict=True)
    patches = check_export.patches_of(model)
    for name, tensor in check_export.patches_of(empty).items():
        expect(torch.equal(tensor, patches[name]), f"{where}: {name} through the meta device has other values")
    expect(model.to("meta").suture.patches[0].P.device.type == "meta", f"{where}: the patch stays behind when the model moves")


def test_training(where, folder, ids):
    """P can be trained; under autocast it is applied in float32 all the same."""
    model, _ = check_export.load(folder, True)
    tokens = torch.tensor([ids[0]])
    model(tokens, labels=tokens).loss.backward()
    patch = model.suture.patches[0]
    expect(patch.P.grad is not None and patch.P.grad.abs().max() > 0, f"{where}: no gradient reaches P")
    expect("d" not in dict(patch.named_parameters()), f"{where}: d is trained although P is applied")
    x = torch.randn(1, 3, model.config.hidden_size, generator=torch.Generator().manual_seed(1))
    with torch.autocast("cpu", dtype=torch.bfloat16), torch.no_grad():
        expect(not torch.equal((x @ patch.P).float(), patch(x)), f"{where}: autocast reaches the patch")
    by_name = patch.before(model.model.norm, (), {"hidden_states": x, "other": 1})
    expect(torch.equal(by_name[1]["hidden_states"], x @ patch.P), f"{where}: a stream passed by name is not patched")


def test_without_auto_classes(where, folder, work):
    """save_pretrained brings the file and auto_map along when the classes were imported directly."""
    spec = importlib.util.spec_from_file_location("modeling_suture", folder / "modeling_suture.py")
    sys.modules["modeling_suture"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    name = json.loads((folder / "config.json").read_text())["architectures"][0]
    again = work / f"{folder.name}-direct"
    model = getattr(module, name).from_pretrained(folder)
    del model.config.auto_map
    model.save_pretrained(again)
    for key, tensor in check_export.patches_of(check_export.load(again, True)[0]).items():
        expect(torch.equal(tensor, load_file(folder / "model.safetensors")[key]), f"{where}: {key} changed without the auto classes")


def test_refusals(where, folder):
    """A config that the file can't carry out is refused, with the member's name."""
    for change, words in (
        ({"format": 2}, "format 2"),
        ({"patches": [{"before_layer": 99, "kind": "ridge", "tensors": ["P"]}]}, "before_layer 99"),
        ({"patches": [{"before_layer": 0, "kind": "ridge"}]}, "lacks tensors"),
        ({"patches": [{"before_layer": 0, "kind": "ridge", "tensors": ["Q"]}]}, "'Q'"),
    ):
        config = AutoConfig.from_pretrained(folder, trust_remote_code=True)
        config.suture = config.suture | change
        try:
            AutoModelForCausalLM.from_config(config, trust_remote_code=True)
            expect(False, f"{where}: {change} is accepted")
        except ValueError as error:
            expect(words in str(error), f"{where}: {change} is refused with: {error}")


# --- the case "start": P and bias ------------------------------------------------------------------------------------


def test_missing_tensor(where, folder):
    """A checkpoint that lost a patch tensor is reported; the others are kept and that one is neutral."""
    tensors = load_file(folder / "model.safetensors")
    del tensors["suture.patches.1.bias"]
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    model, info = check_export.load(folder, True)
    expect(list(info["missing_keys"]) == ["suture.patches.1.bias"], f"{where}: missing keys {info['missing_keys']}")
    patch = model.suture.patches[1]
    kept = torch.equal(patch.P, tensors["suture.patches.1.P"])
    expect(kept and patch.bias.abs().max() == 0, f"{where}: a missing bias spoils the patch")


# ---------------------------------------------------------------------------------------------------------------------


def test_family(archs, family, work):
    source = archs / family
    expected = json.loads((source / "expected.json").read_text())
    ids, layers = expected["input_ids"], expected["n_layers"]
    size = len(expected["hidden_seq1"]["last_token"][0])
    test_reference(source, expected)
    for number, (name, removed, patches) in enumerate(cases(layers, size)):
        where, folder = f"{family} {name}", work / f"{family}-0.5b-{name}"
        write_folder(folder, source, SPELLINGS[number % len(SPELLINGS)], removed, patches)
        test_computes_the_definition(where, folder, source, removed, patches, ids)
        if name == "inside":
            test_half_precision(where, folder, source, removed, patches, ids)
            test_copies(where, folder, ids)
            test_devices(where, folder)
            test_training(where, folder, ids)
            test_without_auto_classes(where, folder, work)
            test_refusals(where, folder)
        if name == "start":
            test_missing_tensor(where, folder)


def main(archs=SOURCE / "tests/data/archs", *families):
    torch.set_num_threads(1)  # tiny models
    chosen = families or sorted(CLASSES)
    with tempfile.TemporaryDirectory(prefix="suture-template-") as work:
        test_stock_folder(Path(archs) / chosen[0], Path(work))
        for family in chosen:
            before = len(failures)
            test_family(Path(archs), family, Path(work))
            print(f"{'ok  ' if len(failures) == before else 'FAIL'} {family}", flush=True)
    print(f"transformers {transformers.__version__}: {len(chosen)} families, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
