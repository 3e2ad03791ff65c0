#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast tasks are scored, against lm-evaluation-harness on the same machine in alternation: a ratio, not a test.

    PYTHON tests/bench/lm_eval_ratio.py --suture build/bin/suture-cli --model MODEL --text TEXT [--documents 100] [--rounds 3]

PYTHON is one with lm_eval 0.4.4: `build/venv/bin/python tests/tasks/python/environment.py build/lm_eval` makes and prints it.

The documents have HellaSwag's lengths (about 45 words of context, four endings of about 22) and are cut from TEXT. Both programs
score the same requests in float32 with the same number of threads. Each time counts from opening the model to the last score, and
Suture's from the start of its process, while the import of lm_eval, torch and transformers, which takes seconds, is left out.
lm_eval runs at each of the batch sizes given and its best one counts; within odd rounds the order is turned round. CPU seconds are
given too: on a busy machine they tell more.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tasks" / "python"))
import programs  # noqa: E402


def make_documents(text, count):
    words = text.split()
    documents, at = [], 0
    for number in range(count):
        def take(length):
            nonlocal at
            at += length
            return " ".join(words[at - length:at])
        context = take(25 + (number * 7) % 41)
        documents.append({"activity_label": "Story", "ctx_a": context, "ctx_b": take(3),
                          "endings": [take(16 + (number * 5 + k * 3) % 13) for k in range(4)], "label": number % 4})
    if at > len(words):
        raise SystemExit(f"the text has {len(words)} words, {at} are needed")
    return documents


def requests_of(document):
    def cleaned(text):
        return text.strip().replace("  ", " ")  # the documents hold no brackets

    context = cleaned(document["activity_label"] + ": " + document["ctx_a"] + " " + document["ctx_b"].capitalize())
    return [(context, " " + cleaned(ending)) for ending in document["endings"]]


def cpu_seconds():
    """Of this process and of those it has waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(score):
    """((wall seconds, CPU seconds), what score() returned)"""
    wall, cpu = time.monotonic(), cpu_seconds()
    scores = score()
    return (time.monotonic() - wall, cpu_seconds() - cpu), scores


def runners(options, folder, documents):
    """{name: function that opens the model, scores all documents and returns their log-likelihoods}"""
    place = pathlib.Path(folder, "hellaswag")
    place.mkdir()
    (place / "hellaswag_val.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))
    instances = programs.instances("hellaswag", [requests_of(d) for d in documents])
    model = programs.for_transformers_4(options.model, folder)

    def suture():
        found = programs.suture(options.suture, options.model, "--tasks", "hellaswag", "--data", folder, threads=options.threads)
        return [value for row in found["tasks"]["hellaswag"]["rows"] for value in row["loglikelihood"]]

    def lm_eval(batch):
        lm = programs.lm_eval(model, options.threads, batch)
        return [score for score, _ in lm.loglikelihood(instances, disable_tqdm=True)]

    programs.lm_eval(model, options.threads, 1)  # both find the file in memory, and the imports are done
    return {"suture": suture} | {f"lm_eval, batch {batch}": lambda batch=batch: lm_eval(batch) for batch in options.batch}


def check(ours, theirs):
    """Speed of something else than what is asked for would mean nothing."""
    worst = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    if not worst < 1e-2:
        raise SystemExit(f"a log-likelihood differs by {worst}: these are not the same requests or not the same model")
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suture", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--text", required=True)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 8], help="lm_eval's batch sizes to try")
    options = parser.parse_args()
    documents = make_documents(pathlib.Path(options.text).read_text(), options.documents)
    with tempfile.TemporaryDirectory() as folder:
        score = runners(options, folder, documents)
        times, scores = {name: [] for name in score}, {}
        for turn in range(options.rounds):
            for name in list(score)[:: -1 if turn % 2 else 1]:
                seconds, scores[name] = timed(score[name])
                times[name].append(seconds)
                print(f"round {turn + 1}, {name}: {seconds[0]:.2f} s, CPU {seconds[1]:.2f} s", flush=True)
        worst = max(check(scores["suture"], theirs) for name, theirs in scores.items() if name != "suture")
    print(f"largest difference of a log-likelihood: {worst:.1e}")
    middle = {name: [statistics.median(column) for column in zip(*seconds)] for name, seconds in times.items()}
    for name, (wall, cpu) in middle.items():
        print(f"{name}: median {wall:.2f} s, CPU {cpu:.2f} s")
    for kind, column in (("wall", 0), ("CPU", 1)):
        best = min(seconds[column] for name, seconds in middle.items() if name != "suture")
        print(f"{options.documents} documents, {kind} time: ratio {best / middle['suture'][column]:.2f}")


if __name__ == "__main__":
    main()
