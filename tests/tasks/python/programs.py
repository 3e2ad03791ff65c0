# SPDX-License-Identifier: GPL-3.0-or-later
"""Suture and lm_eval 0.4.4, each scoring the same things on the same model."""

import json
import pathlib
import subprocess


def for_transformers_4(model, folder):
    """The model as transformers 4 reads it: release 5 writes the rotary base where 4 does not look, and takes its own default."""
    folder = pathlib.Path(folder, "model")
    folder.mkdir()
    for file in pathlib.Path(model).absolute().iterdir():
        if file.name != "config.json":
            (folder / file.name).symlink_to(file)
    config = json.loads(pathlib.Path(model, "config.json").read_text())
    rotary = config.pop("rope_parameters", {})
    if "rope_theta" in rotary:
        config["rope_theta"] = rotary.pop("rope_theta")
    if rotary.get("rope_type", "default") != "default":
        config["rope_scaling"] = rotary
    if "dtype" in config:
        config["torch_dtype"] = config.pop("dtype")
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def suture(program, model, *options, threads):
    """What `suture-cli evaluate` writes with --json."""
    command = [program, "evaluate", model, *options, "--cache", "none", "--quiet", "--threads", threads, "--json", "-"]
    done = subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def lm_eval(model, threads, batch, **options):
    """lm_eval's model, in float32 as Suture computes."""
    import torch
    import transformers
    from lm_eval.models.huggingface import HFLM

    transformers.utils.logging.set_verbosity_error()
    torch.set_num_threads(threads)
    return HFLM(pretrained=str(model), dtype="float32", device="cpu", batch_size=batch, **options)


def instances(task, documents):
    """Requests as lm_eval holds them; `documents`: a list of (context, continuation) each."""
    from lm_eval.api.instance import Instance

    return [Instance(request_type="loglikelihood", doc={}, arguments=tuple(request), idx=k, metadata=(task, number, 1))
            for number, requests in enumerate(documents) for k, request in enumerate(requests)]
