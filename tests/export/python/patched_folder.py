# SPDX-License-Identifier: GPL-3.0-or-later
"""Patched folders made from the definition, and the stock model that computes the same in memory.

The folder gets the layers' tensors renumbered and modeling_suture.py from the template. The reference is the whole
checkpoint in the stock classes, with layers deleted in memory and hooks that multiply the stream in float32.
"""

import json
import shutil
import tempfile
from pathlib import Path

import check_export
import torch
import transformers
from safetensors.torch import load_file, save_file

SOURCE = Path(__file__).resolve().parents[3]
TEMPLATE = (SOURCE / "resources/export/modeling_suture.py.in").read_text(encoding="utf-8")
CLASSES = json.loads((SOURCE / "resources/export/families.json").read_text(encoding="utf-8"))
# Version 4 doesn't know the spelling of version 5; version 5 reads both.
SPELLINGS = ["config.json", "config.v4.json"] if int(transformers.__version__.split(".")[0]) >= 5 else ["config.v4.json"]


# --- cases -----------------------------------------------------------------------------------------------------------


def random_patch(before_layer, kind, tensors, size, generator):
    """An entry of config.json's list, and its tensors. Far enough from the identity to be seen in the logits."""

    def randn(*shape):
        return torch.randn(*shape, generator=generator)

    values = {}
    if "P" in tensors:
        noise = randn(size, size) * size**-0.5
        # P = H·diag(d)·Hᵀ is symmetric; a fitted P is not, which tells x·P from x·Pᵀ.
        values["P"] = torch.eye(size) + 0.4 * (noise if kind == "ridge" else noise + noise.T)
    if "d" in tensors:
        values["d"] = 1.5 + 0.5 * torch.rand(1 if kind == "scalar" else size, generator=generator)
    if "bias" in tensors:
        values["bias"] = 0.1 * randn(size)
    hadamard = "Sylvester" if kind == "linearpatch" else None
    return {"before_layer": before_layer, "kind": kind, "hadamard": hadamard, "tensors": tensors}, values


def cases(layers, size):
    """(name, removed layers, patches): a seam inside, seams at both ends, two patches at one seam."""
    generator = torch.Generator().manual_seed(7)

    def patch(*args):
        return random_patch(*args, size, generator)

    inner = layers - 2  # the second layer that "start" removes; the first kept layer behind it has the number inner - 1
    yield "inside", [1, 2], [patch(1, "linearpatch", ["P", "d"])]
    yield "start", [0, inner], [patch(0, "channel", ["d", "bias"]), patch(inner - 1, "ridge", ["P", "bias"])]
    yield "end", [1, layers - 1], [patch(1, "scalar", ["d"]), patch(layers - 2, "linearpatch", ["P"])]
    yield "twice", [1], [patch(1, "channel", ["d"]), patch(1, "ridge", ["P"])]


# --- the folder under test -------------------------------------------------------------------------------------------


def pruned_config(config, family, removed):
    """config.json without those layers. Only what the tiny checkpoints of these families have."""
    layers = config["num_hidden_layers"]
    kept = [layer for layer in range(layers) if layer not in removed]
    if family == "gemma2" and "layer_types" not in config:  # else the pattern would come from the new layer numbers
        config["layer_types"] = ["full_attention" if layer % 2 else "sliding_attention" for layer in range(layers)]
    for key in ("layer_types", "no_rope_layers"):
        if config.get(key):
            config[key] = [config[key][layer] for layer in kept]
    return config | {"num_hidden_layers": len(kept)}


def renumbered(key, removed):
    """The tensor's name in the pruned model; None when its layer is gone."""
    parts = key.split(".")
    if parts[1] == "layers":
        layer = int(parts[2])
        if layer in removed:
            return None
        parts[2] = str(layer - sum(one < layer for one in removed))
    return ".".join(parts)


def write_folder(folder, source, spelling, removed, patches):
    """What the exporter writes for `source`, whose config is in the file `spelling`."""
    config = json.loads((source / spelling).read_text())
    family = config["model_type"]
    name = CLASSES[family]
    config = pruned_config(config, family, removed) | {
        "model_type": f"suture_{family}",
        "architectures": [f"Suture{name}ForCausalLM"],
        "auto_map": {
            "AutoConfig": f"modeling_suture.Suture{name}Config",
            "AutoModelForCausalLM": f"modeling_suture.Suture{name}ForCausalLM",
        },
        "suture": {"format": 1, "patches": [entry for entry, _ in patches]},
    }
    tensors = {renumbered(key, removed): tensor for key, tensor in load_file(source / "model.safetensors").items()}
    tensors.pop(None)
    for i, (_, values) in enumerate(patches):
        tensors |= {f"suture.patches.{i}.{key}": value for key, value in values.items()}

    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "modeling_suture.py").write_text(TEMPLATE.replace("@FAMILY@", family).replace("@CLASS@", name), encoding="utf-8")
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    shutil.copy(source / "generation_config.json", folder)


# --- what it should compute ------------------------------------------------------------------------------------------


def stock_model(source, dtype=torch.float32):
    """The checkpoint in the stock classes, with the config that this version of transformers knows."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(source / SPELLINGS[0], Path(folder) / "config.json")
        for file in ("model.safetensors", "generation_config.json"):
            shutil.copy(source / file, folder)
        return check_export.load(folder, False, dtype)[0]


def apply_patch(values):
    """A forward pre-hook: x·P or x∘d, plus bias, in float32."""

    def hook(_, args):
        x = args[0].to(torch.float32)
        x = torch.matmul(x, values["P"]) if "P" in values else x * values.get("d", 1)
        return (x + values.get("bias", 0)).to(args[0].dtype), *args[1:]

    return hook


def reference(source, removed, patches, dtype=torch.float32):
    """The stock model with layers deleted in memory and the patches as hooks."""
    model = stock_model(source, dtype)
    config, decoder = model.config, model.model
    kept = [layer for layer in range(config.num_hidden_layers) if layer not in removed]
    decoder.layers = torch.nn.ModuleList(decoder.layers[layer] for layer in kept)
    for new, layer in enumerate(decoder.layers):
        for module in layer.modules():
            if hasattr(module, "layer_idx"):
                module.layer_idx = new
    config.num_hidden_layers = len(kept)
    if getattr(config, "layer_types", None):
        config.layer_types = [config.layer_types[layer] for layer in kept]
    for entry, values in patches:
        [*decoder.layers, decoder.norm][entry["before_layer"]].register_forward_pre_hook(apply_patch(values))
    return model
