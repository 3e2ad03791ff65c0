#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads exported folders with transformers and says what they compute: one process for many folders.

    check_export.py SPEC.json

SPEC.json is a list; each entry gives

    folder             the exported folder
    trust_remote_code  false (default) for stock folders, true for patched ones
    ids                lists of token ids, one per sequence
    expected_logits    optional: per sequence the logits of all its positions or of its last ones, or null; or the name of a JSON
                       file with that. With it max_abs_diff is reported in place of logits.
    greedy             optional: how many tokens to generate after each sequence

JSON on stdout, one object per entry:

    folder, transformers, class
    logits | max_abs_diff        [sequences][positions][vocabulary] in float32 | per sequence, null where nothing was expected
    greedy_cached, greedy        the generated ids with use_cache true and false
    missing_keys, unexpected_keys, mismatched_keys
    resaved_max_abs_diff         largest difference of the logits after save_pretrained and loading that copy
    resaved_files                what the copy consists of
    patch_dtypes                 dtype of each suture.patches tensor when the folder is loaded with dtype=bfloat16
    patches_exact                whether those tensors then still have the values of the file
    error                        only where something failed: what, and the rest of the members may be absent

The exit status is 0 when the JSON was written, whatever it says.
"""

import atexit
import contextlib
import json
import os
import shutil
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_MODULES_CACHE"] = tempfile.mkdtemp(prefix="suture-modules-")  # for the copies of modeling_suture.py
atexit.register(shutil.rmtree, os.environ["HF_MODULES_CACHE"], ignore_errors=True)

import torch  # noqa: E402  transformers reads its environment when it is imported
import transformers  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402

DTYPE = "dtype" if int(transformers.__version__.split(".")[0]) >= 5 else "torch_dtype"


def load(folder, trust_remote_code, dtype=torch.float32):
    """The model in evaluation mode, and transformers' account of the keys."""
    model, info = AutoModelForCausalLM.from_pretrained(
        folder, trust_remote_code=trust_remote_code, attn_implementation="eager", output_loading_info=True, **{DTYPE: dtype}
    )
    return model.eval(), info


@torch.no_grad()
def logits_of(model, ids):
    """[T, vocabulary] float32; computed without a cache."""
    logits = model(torch.tensor([ids]), use_cache=False).logits[0].float()
    if not torch.isfinite(logits).all():
        raise ValueError(f"{type(model).__name__} gives logits that are not finite for a sequence of {len(ids)} tokens")
    return logits


def greedy_of(model, ids, count, use_cache):
    """The next `count` tokens by argmax; the end-of-sequence token doesn't stop it."""
    model.generation_config.eos_token_id = None
    prompt = torch.tensor([ids])
    with torch.no_grad():
        generated = model.generate(
            prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=count, do_sample=False, use_cache=use_cache
        )
    return generated[0, len(ids) :].tolist()


def largest_difference(logits, expected):
    """Over the last len(expected) positions."""
    if expected is None:
        return None
    expected = torch.as_tensor(expected, dtype=torch.float32)
    if expected.shape[0] > logits.shape[0] or expected.shape[1:] != logits.shape[1:]:
        raise ValueError(f"expected logits have the shape {list(expected.shape)}, the model gives {list(logits.shape)}")
    return (logits[-len(expected) :] - expected).abs().max().item()


def patches_of(model):
    return {name: tensor for name, tensor in model.state_dict().items() if name.startswith("suture.")}


def resave(model, entry, logits):
    """What became of the logits and which files there are after save_pretrained and loading again."""
    # The dots and dashes of a usual folder name, because transformers makes a module name of it.
    with tempfile.TemporaryDirectory(prefix="suture-resaved-0.5b-") as copy:
        model.save_pretrained(copy)
        again, info = load(copy, entry.get("trust_remote_code", False))
        if info["missing_keys"] or info["unexpected_keys"]:
            raise ValueError(f"the copy written by save_pretrained lacks or adds tensors: {info}")
        differences = [largest_difference(logits_of(again, ids), before) for ids, before in zip(entry["ids"], logits)]
        return max(differences), sorted(os.listdir(copy))


def check(entry):
    """The report on one entry of the list."""
    folder, remote = entry["folder"], entry.get("trust_remote_code", False)
    model, info = load(folder, remote)
    report = {"class": type(model).__name__}
    for keys in ("missing_keys", "unexpected_keys", "mismatched_keys"):
        report[keys] = sorted(str(key) for key in info[keys])

    logits = [logits_of(model, ids) for ids in entry["ids"]]
    expected = entry.get("expected_logits")
    if isinstance(expected, str):
        with open(expected, encoding="utf-8") as file:
            expected = json.load(file)
    if expected is None:
        report["logits"] = [one.tolist() for one in logits]
    elif len(expected) != len(logits):
        raise ValueError(f"expected_logits is given for {len(expected)} sequences, ids for {len(logits)}")
    else:
        report["max_abs_diff"] = [largest_difference(one, other) for one, other in zip(logits, expected)]

    if entry.get("greedy"):
        report["greedy_cached"] = [greedy_of(model, ids, entry["greedy"], True) for ids in entry["ids"]]
        report["greedy"] = [greedy_of(model, ids, entry["greedy"], False) for ids in entry["ids"]]

    model, _ = load(folder, remote)  # generating has changed the generation config
    report["resaved_max_abs_diff"], report["resaved_files"] = resave(model, entry, logits)

    patches, halved = patches_of(model), patches_of(load(folder, remote, torch.bfloat16)[0])
    report["patch_dtypes"] = {name: str(tensor.dtype).removeprefix("torch.") for name, tensor in halved.items()}
    report["patches_exact"] = all(torch.equal(patches[name], tensor) for name, tensor in halved.items())
    return report


def checked(entry):
    report = {"folder": entry["folder"], "transformers": transformers.__version__}
    try:
        report |= check(entry)
    except Exception as error:  # one bad folder must not hide the others
        report["error"] = f"{type(error).__name__}: {error}"
    return report


def main(spec):
    torch.set_num_threads(1)  # tiny models
    with open(spec, encoding="utf-8") as file:
        entries = json.load(file)
    with contextlib.redirect_stdout(sys.stderr):  # stdout is for the report alone
        reports = [checked(entry) for entry in entries]
    json.dump(reports, sys.stdout, allow_nan=False)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_export.py SPEC.json")
    main(sys.argv[1])
