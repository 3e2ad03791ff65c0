#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rolling perplexity computed with transformers, for the tests of core/evaluation.

    rolling_reference.py MODEL TEXT WIKITEXT OUTPUT

MODEL is a Hugging Face folder, TEXT a raw WikiText excerpt. WIKITEXT, the whole test file, is read for the detokenised text's
hash only and may be "-". Log-likelihoods are of float64 log-softmax over float32 logits. JSON to OUTPUT.
"""

import hashlib
import json
import math
import re
import sys

import torch
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast

# (from, to) or (pattern, to) in the order of the harness's detokeniser
STEPS = [
    ("s '", "s'"), (" @-@ ", "-"), (" @,@ ", ","), (" @.@ ", "."),
    (" : ", ": "), (" ; ", "; "), (" . ", ". "), (" ! ", "! "), (" ? ", "? "), (" , ", ", "),
    *[(re.compile(rf"{re.escape(a)}\s*([^{re.escape(b)}]*?)\s*{re.escape(b)}"), rf"{a}\1{b}") for a, b in ["()", "[]", "{}", '""', "''"]],
    ("= = = =", "===="), ("= = =", "==="), ("= =", "=="), (" ° ", "°"), (" \n", "\n"), ("\n ", "\n"), (" N ", " 1 "), (" 's", "'s"),
]


def detokenised(page):
    for old, new in STEPS:
        page = page.replace(old, new) if isinstance(old, str) else old.sub(new, page)
    return page


def pages_of(text):
    starts, position = [], 0
    for line in text.split("\n"):
        if re.fullmatch(r" = [^=].* = ", line):
            starts.append(position)
        position += len(line) + 1
    return [text[a:b] for a, b in zip(starts, starts[1:] + [len(text)])]


def windows_of(ids, prefix, length):
    """(input, targets): disjoint targets, one id of context, the last window filled up to full length."""
    done = min(length, len(ids))
    yield [prefix, *ids[: done - 1]], ids[:done]
    while done < len(ids):
        scored = min(length, len(ids) - done)
        end = done + scored
        yield ids[end - length - 1 : end - 1], ids[done:end]
        done = end


@torch.no_grad()
def loglikelihood(model, ids, prefix, length):
    total = 0.0
    for given, targets in windows_of(ids, prefix, length):
        logits = model(torch.tensor([given])).logits[0, -len(targets) :]
        log_p = torch.log_softmax(logits.double(), -1)
        total += log_p[torch.arange(len(targets)), torch.tensor(targets)].sum().item()
    return total


def evaluate(model, tokenizer, pages, length, special, spacing):
    documents = []
    for page in pages:
        text = detokenised(page) if spacing == "wikitext" else page
        ids = tokenizer.encode(text, add_special_tokens=special)
        documents.append({
            "loglikelihood": loglikelihood(model, ids, tokenizer.bos_token_id, length),
            "words": len(re.split(r"\s+", page)),
            "bytes": len(page.encode()),
            "tokens": len(ids),
        })
    total, words, size = (sum(d[key] for d in documents) for key in ("loglikelihood", "words", "bytes"))
    return {
        "length": length, "encoding": "tokenizer" if special else "0.4.4", "spacing": spacing, "documents": documents,
        "word_perplexity": math.exp(-total / words), "byte_perplexity": math.exp(-total / size),
        "bits_per_byte": -total / size / math.log(2),
    }


def main():
    folder, text, whole, output = sys.argv[1:]
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    # tokenizer.json as it stands: AutoTokenizer of transformers 5 puts its own rules in place of the file's for some classes.
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=f"{folder}/tokenizer.json", bos_token="<s>", eos_token="</s>")
    read = lambda name: open(name, encoding="utf-8", newline="").read()
    pages = pages_of(read(text))
    result = {
        "made_by": "tests/evaluation/python/rolling_reference.py",
        "detokenised": [detokenised(page) for page in pages],
        "results": [
            evaluate(model, tokenizer, pages, length, special, spacing)
            for length, special, spacing in [(512, False, "wikitext"), (100, False, "wikitext"), (512, True, "wikitext"), (512, False, "as-is")]
        ],
    }
    if whole != "-":
        pages = pages_of(read(whole))
        result["wikitext"] = {
            "pages": len(pages),
            "words": sum(len(re.split(r"\s+", page)) for page in pages),
            "bytes": sum(len(page.encode()) for page in pages),
            "detokenised_sha256": hashlib.sha256("".join(map(detokenised, pages)).encode()).hexdigest(),
        }
    with open(output, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
        file.write("\n")


main()
