#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exported stock folders in llama.cpp: its converter takes them, and its next-token probabilities are those of transformers.

    PYTHON_WITH_TRANSFORMERS against_llama_cpp.py --suture suture-cli --environment FOLDER [--shared FOLDER]

TinyStories' 260K model with every kind of stock repair; also SmolLM2 with one, when the folder SUTURE_SMOLLM2 has it. The ten best
log-probabilities must agree to 1e-3, with llama.cpp's cache in float32 and its flash attention, which rounds to half, switched off.
Ends with 77, which ctest takes for "skipped", when the reference collection is absent.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

SKIPPED = 77
CONVERTER = "llama-cpp-python==0.3.36"  # its source holds llama.cpp's converter and the gguf package that goes with it
PACKAGES = ["xllamacpp==2026.10.11549", "sentencepiece==0.2.3", "PyYAML==6.0.4"]
TOLERANCE = 1e-3
PROMPT_LENGTHS = (4, 9, 16)
REPAIRS = {"none": [], "scalar": [], "fold": [], "refit": [], "cascade-attention": ["--cascade", "1"], "stock-layer": []}


def pip(*arguments):
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments], check=True, stdout=sys.stderr)


def environment(folder):
    """Folder of the packages and the converter, made once."""
    packages, source, stamp = folder / "packages", folder / "source", folder / "complete"
    key = " ".join([CONVERTER, *PACKAGES])
    if not (stamp.is_file() and stamp.read_text() == key):
        shutil.rmtree(folder, ignore_errors=True)
        pip("install", "--no-deps", "--target", packages, *PACKAGES)
        pip("download", "--no-deps", "--no-binary", "llama-cpp-python", "--dest", folder, CONVERTER)
        with tarfile.open(next(folder.glob("llama_cpp_python-*.tar.gz"))) as archive:
            archive.extractall(source, filter="data")
        stamp.write_text(key)
    return packages, next(source.glob("*/vendor/llama.cpp"))


def export(options, model, layers, repair, text, folder):
    arguments = [options.suture, "prune", model, "--layers", layers, "--repair", repair, *REPAIRS[repair], "--text", text, "--windows", "8",
                 "--seqlen", "128", "--cache", folder / "cache", "--export", folder / "export"]
    subprocess.run([str(a) for a in arguments], check=True, stdout=subprocess.DEVNULL)
    return folder / "export"


def convert(folder, packages, llama_cpp):
    file = folder.with_suffix(".gguf")
    paths = os.pathsep.join(map(str, (llama_cpp / "gguf-py", packages)))
    made = subprocess.run([sys.executable, llama_cpp / "convert_hf_to_gguf.py", folder, "--outfile", file, "--outtype", "f32"],
                          env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
    if made.returncode:
        raise SystemExit(made.stdout + made.stderr)
    return file


def of_llama_cpp(file, prompts, packages):
    """Per prompt the ten best next tokens with their log-probabilities. In a process of its own, which ends with its server."""
    asked = subprocess.run([sys.executable, __file__, "--ask", file, json.dumps(prompts)], check=True, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONPATH": str(packages)})
    return json.loads(asked.stdout.splitlines()[-1])


def ask(file, prompts):
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = file
    parameters.n_ctx, parameters.n_parallel, parameters.warmup = 256, 1, False
    parameters.cache_type_k = parameters.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    parameters.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    server = xllamacpp.Server(parameters)
    answers = []
    for prompt in prompts:
        answer = server.handle_completions({"prompt": prompt, "n_predict": 1, "n_probs": 10, "temperature": 0, "cache_prompt": False})
        best = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        answers.append([(entry["id"], entry["logprob"]) for entry in best])
    print("\n" + json.dumps(answers), flush=True)


def largest_difference(folder, prompts, answers):
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    worst = 0
    with torch.no_grad():
        for prompt, best in zip(prompts, answers, strict=True):
            expected = torch.log_softmax(model(torch.tensor([prompt])).logits[0, -1], -1)
            worst = max(worst, *(abs(expected[token].item() - value) for token, value in best))
            if best[0][0] != expected.argmax().item():
                return float("inf")
    return worst


def main(options):
    data = options.shared / "data"
    if not data.is_dir():
        print("skipped: the reference collection is not beside this checkout")
        raise SystemExit(SKIPPED)
    os.environ["HF_HUB_OFFLINE"] = "1"
    packages, llama_cpp = environment(options.environment.absolute())
    text = data / "text/TinyStories-valid.excerpt.txt"
    cases = [(data / "models/stories260K-hf", "2", repair) for repair in REPAIRS]
    if os.environ.get("SUTURE_SMOLLM2"):
        cases.append((pathlib.Path(os.environ["SUTURE_SMOLLM2"]), "13-15", "refit"))
    problems = []
    for model, layers, repair in cases:
        with tempfile.TemporaryDirectory() as name:
            folder = export(options, model, layers, repair, text, pathlib.Path(name))
            vocabulary = json.loads((folder / "config.json").read_text())["vocab_size"]
            prompts = [[1] + [(97 * i + 13 * length) % (vocabulary - 10) + 5 for i in range(length)] for length in PROMPT_LENGTHS]
            worst = largest_difference(folder, prompts, of_llama_cpp(convert(folder, packages, llama_cpp), prompts, packages))
            print(f"{model.name}, {repair}: largest difference of a log-probability {worst:.1e}", flush=True)
            if not worst < TOLERANCE:
                problems.append(f"{model.name}, {repair}: a log-probability differs by {worst}, or another token is best")
    print("\n".join(problems) or "all agree")
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ask"]:
        ask(sys.argv[2], json.loads(sys.argv[3]))
        raise SystemExit
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suture", required=True)
    parser.add_argument("--environment", required=True, type=pathlib.Path, help="folder that llama.cpp is put into, once")
    parser.add_argument("--shared", type=pathlib.Path,
                        default=os.environ.get("SUTURE_SHARED") or pathlib.Path(__file__).absolute().parents[4] / "shared")
    main(parser.parse_args())
