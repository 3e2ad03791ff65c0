#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores of a real model against those of the real lm_eval 0.4.4.

    PYTHON_WITH_TORCH against_lm_eval.py --suture suture-cli --environment FOLDER [--shared FOLDER]

The model is in the folder SUTURE_SMOLLM2. Log-likelihoods must agree to 1e-3, accuracies must be equal, and word and byte
perplexity agree to 1e-4 of themselves. Ends with 77, which ctest takes for "skipped", when the model or the data is absent.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DOCUMENTS = 20
TASKS = {"arc_easy": "arc_easy", "piqa": "piqa", "wsc273": "wsc273", "mmlu_global_facts": "mmlu_global_facts.5shot"}
SKIPPED = 77
THREADS = os.cpu_count()


def skip(reason):
    print("skipped:", reason)
    raise SystemExit(SKIPPED)


def best(values):
    return max(range(len(values)), key=values.__getitem__)  # the first of equals


def accuracy(documents, scores, key=None):
    right = 0
    for document, likelihoods in zip(documents, scores):
        lengths = document[key] if key else [1] * len(likelihoods)
        right += best([ll / n for ll, n in zip(likelihoods, lengths)]) == document["gold"]
    return right / len(documents)


def compare_task(task, ours, lm, file):
    """Problems found, as sentences."""
    import programs

    documents = [json.loads(line) for line in file.read_text().splitlines()[:DOCUMENTS]]
    flat = iter(lm.loglikelihood(programs.instances(task, [d["requests"] for d in documents]), disable_tqdm=True))
    theirs = [[next(flat) for _ in d["requests"]] for d in documents]
    scores = [[ll for ll, _ in row] for row in theirs]
    problems = []
    if len(ours["rows"]) != len(documents):
        return [f"{task}: {len(ours['rows'])} documents, lm_eval has {len(documents)}"]
    worst = max(abs(a - b) for row, own in zip(scores, ours["rows"]) for a, b in zip(row, own["loglikelihood"], strict=True))
    print(f"{task}: {len(documents)} documents, largest difference of a log-likelihood {worst:.1e}", flush=True)
    if not worst < 1e-3:
        problems.append(f"{task}: a log-likelihood differs by {worst}")
    if [[greedy for _, greedy in row] for row in theirs] != [row["is_greedy"] for row in ours["rows"]]:
        problems.append(f"{task}: is_greedy differs")
    expected = {"acc": accuracy(documents, scores)}
    if "acc_norm" in ours:
        expected["acc_norm"] = accuracy(documents, scores, "norm_len")
    for metric, value in expected.items():
        if not math.isclose(ours[metric], value, abs_tol=1e-12):
            problems.append(f"{task}: {metric} is {ours[metric]}, lm_eval has {value}")
    return problems


ROLLING_TASK = """\
task: pages
dataset_path: json
dataset_kwargs: {{data_files: {{test: {file}}}}}
output_type: loglikelihood_rolling
test_split: test
doc_to_text: ""
doc_to_target: !function wikitext.wikitext_detokenizer
process_results: !function wikitext.process_results
metric_list: [{{metric: word_perplexity}}, {{metric: byte_perplexity}}, {{metric: bits_per_byte}}]
"""


def write_pages(text, folder):
    """Two pages of a raw WikiText file, cut to a few windows each: a file that both programs read, and lm_eval's task for it."""
    pages = re.split(r"(?m)^(?= = [^=\n]+ = $)", text)[1:3]
    file = folder / "pages.jsonl"
    file.write_text("".join(json.dumps({"page": page[:2500]}) + "\n" for page in pages))
    (folder / "pages.yaml").write_text(ROLLING_TASK.format(file=file))
    (folder / "wikitext.py").write_text("from lm_eval.tasks.wikitext.preprocess_wikitext import process_results, wikitext_detokenizer\n")
    return file


def compare_rolling(options, model, lm, folder):
    import lm_eval
    import programs
    from lm_eval.tasks import TaskManager

    file = write_pages((options.shared / "data/text/wiki.test.raw").read_text(), folder)
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    theirs = lm_eval.simple_evaluate(model=lm, tasks=["pages"], task_manager=manager, bootstrap_iters=0)["results"]["pages"]
    ours = programs.suture(options.suture, model, "--rolling", file, "--rolling-field", "page", "--rolling-length", lm.max_length,
                           threads=THREADS)["rolling"]
    problems = []
    for metric in ("word_perplexity", "byte_perplexity", "bits_per_byte"):
        value, expected = ours[metric], theirs[f"{metric},none"]
        print(f"{metric}: {value:.6f}, lm_eval {expected:.6f}", flush=True)
        if not math.isclose(value, expected, rel_tol=1e-4):
            problems.append(f"{metric} is {value}, lm_eval has {expected}")
    return problems


def main(options):
    model, data = os.environ.get("SUTURE_SMOLLM2"), options.shared / "data/qa"
    if not model:
        skip("SUTURE_SMOLLM2 names no folder with the model")
    if not data.is_dir():
        skip("the reference collection is not beside this checkout")
    if not options.inside:
        import environment

        python = environment.make(options.environment)
        raise SystemExit(subprocess.run([python, *sys.argv, "--inside"]).returncode)
    os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1")
    import programs

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["HF_HOME"] = str(folder / "cache")
        lm = programs.lm_eval(programs.for_transformers_4(model, folder), THREADS, 4)
        ours = programs.suture(options.suture, model, "--tasks", ",".join(TASKS), "--data", data, "--limit", DOCUMENTS, threads=THREADS)
        problems = []
        for task, requests in TASKS.items():
            problems += compare_task(task, ours["tasks"][task], lm, data / "requests" / f"{requests}.requests.jsonl")
        lm._max_length = 256  # several windows a page
        problems += compare_rolling(options, model, lm, folder)
    print("\n".join(problems) or "all agree")
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suture", required=True)
    parser.add_argument("--environment", required=True, help="folder that lm_eval is installed into, once")
    parser.add_argument("--shared", type=pathlib.Path,
                        default=os.environ.get("SUTURE_SHARED") or pathlib.Path(__file__).absolute().parents[4] / "shared")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    main(parser.parse_args())
