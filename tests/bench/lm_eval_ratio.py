#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast tasks are scored, against lm-evaluation-harness on the same machine in alternation: a ratio, not a test.

    python tests/bench/lm_eval_ratio.py --suture build/bin/suture-cli --model MODEL --text TEXT [--documents 100] [--rounds 3]

Needs lm_eval 0.4.4, transformers and torch. The documents have HellaSwag's lengths (about 45 words of context, four endings of
about 22) and are cut from TEXT. Suture's time is that of the whole process, its start included; of lm_eval only loglikelihood() is
timed, with the model loaded and at the fastest of the batch sizes given. CPU seconds are given too: on a busy machine they tell more.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time


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


class Clock:
    """Wall and CPU seconds since its start; `who` is this process or its children."""

    def __init__(self, who):
        self.who, self.wall, self.cpu = who, time.monotonic(), self.cpu_now(who)

    @staticmethod
    def cpu_now(who):
        usage = resource.getrusage(who)
        return usage.ru_utime + usage.ru_stime

    def read(self):
        return time.monotonic() - self.wall, self.cpu_now(self.who) - self.cpu


def score_with_suture(options, folder):
    clock = Clock(resource.RUSAGE_CHILDREN)
    subprocess.run([options.suture, "evaluate", options.model, "--tasks", "hellaswag", "--data", folder, "--cache", "none", "--quiet",
                    "--threads", str(options.threads), "--json", f"{folder}/suture.json"],
                   check=True, stdout=subprocess.DEVNULL)
    seconds = clock.read()
    rows = json.loads(pathlib.Path(folder, "suture.json").read_text())["tasks"]["hellaswag"]["rows"]
    return seconds, [value for row in rows for value in row["loglikelihood"]]


def requests_of(documents):
    from lm_eval.api.instance import Instance

    def cleaned(text):
        return text.strip().replace("  ", " ")  # the documents hold no brackets

    requests = []
    for number, d in enumerate(documents):
        context = cleaned(d["activity_label"] + ": " + d["ctx_a"] + " " + d["ctx_b"].capitalize())
        for k, ending in enumerate(d["endings"]):
            requests.append(Instance(request_type="loglikelihood", doc={}, arguments=(context, " " + cleaned(ending)), idx=k,
                                     metadata=("hellaswag", number, 1)))
    return requests


def score_with_lm_eval(lm, requests, batch):
    lm.batch_size_per_gpu = batch
    clock = Clock(resource.RUSAGE_SELF)
    scores = lm.loglikelihood(requests, disable_tqdm=True)
    return clock.read(), [score[0] for score in scores]


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

    import torch
    from lm_eval.models.huggingface import HFLM
    torch.set_num_threads(options.threads)
    lm = HFLM(pretrained=options.model, dtype="float32", device="cpu", batch_size=options.batch[0])
    documents = make_documents(pathlib.Path(options.text).read_text(), options.documents)
    requests = requests_of(documents)
    times = {"suture": []} | {f"lm_eval, batch {batch}": [] for batch in options.batch}
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder, "hellaswag")
        place.mkdir()
        (place / "hellaswag_val.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))
        for _ in range(options.rounds):
            seconds, ours = score_with_suture(options, folder)
            times["suture"].append(seconds)
            for batch in options.batch:
                seconds, theirs = score_with_lm_eval(lm, requests, batch)
                times[f"lm_eval, batch {batch}"].append(seconds)
                print("largest difference of a log-likelihood:", max(abs(a - b) for a, b in zip(ours, theirs)), flush=True)
    middle = {name: [statistics.median(column) for column in zip(*seconds)] for name, seconds in times.items()}
    for name, (wall, cpu) in middle.items():
        print(f"{name}: median {wall:.2f} s, CPU {cpu:.2f} s; every round {[round(s[0], 2) for s in times[name]]}")
    for kind, column in (("wall", 0), ("CPU", 1)):
        best = min(seconds[column] for name, seconds in middle.items() if name != "suture")
        print(f"{options.documents} documents, {kind} time: ratio {best / middle['suture'][column]:.2f}")


if __name__ == "__main__":
    main()
