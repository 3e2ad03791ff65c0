#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What transformers makes of logits and of chat templates, for the tests of core/generation.

    generation_reference.py SMOLLM2 OUTPUT

SMOLLM2 is a folder with that model's tokenizer and chat template. The other templates are written here, one per form, as
checkpoints of that form have them. JSON to OUTPUT.
"""

import json
import sys

import torch
from transformers import AutoTokenizer
from transformers.generation.logits_process import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper
from transformers.utils.chat_template_utils import render_jinja_template

USER, SYSTEM = "  What is 7 · 8?\nShow your work. ", "Answer in one line."

LLAMA_3 = (
    "{% for m in messages %}{% set part = '<|start_header_id|>' + m['role'] + '<|end_header_id|>\n\n' + m['content'] | trim + '<|eot_id|>' %}"
    "{% if loop.first %}{{ bos_token }}{% endif %}{{ part }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
LLAMA_3_1 = (
    "{{ bos_token }}{% if not date_string is defined %}{% set date_string = '26 Jul 2024' %}{% endif %}"
    "{% if messages[0]['role'] == 'system' %}{% set system = messages[0]['content'] | trim %}{% set messages = messages[1:] %}{% else %}{% set system = '' %}{% endif %}"
    "{{ '<|start_header_id|>system<|end_header_id|>\n\n' }}{{ 'Cutting Knowledge Date: December 2023\n' }}{{ 'Today Date: ' + date_string + '\n\n' }}{{ system }}{{ '<|eot_id|>' }}"
    "{% for m in messages %}{{ '<|start_header_id|>' + m['role'] + '<|end_header_id|>\n\n' + m['content'] | trim + '<|eot_id|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
LLAMA_2 = (
    "{% if messages[0]['role'] == 'system' %}{% set rest = messages[1:] %}{% set system = messages[0]['content'] %}{% else %}{% set rest = messages %}{% set system = false %}{% endif %}"
    "{% for m in rest %}{% if loop.first and system %}{% set text = '<<SYS>>\n' + system + '\n<</SYS>>\n\n' + m['content'] %}{% else %}{% set text = m['content'] %}{% endif %}"
    "{% if m['role'] == 'user' %}{{ bos_token + '[INST] ' + text.strip() + ' [/INST]' }}{% else %}{{ ' ' + text.strip() + ' ' + eos_token }}{% endif %}{% endfor %}"
)
MISTRAL = (
    "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'user' %}{{ '[INST] ' + m['content'] + ' [/INST]' }}"
    "{% else %}{{ m['content'] + eos_token }}{% endif %}{% endfor %}"
)
CHATML_PLAIN = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>' + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
CHATML_THINKING = CHATML_PLAIN.replace("assistant\n", "assistant\n<think>\n")
CHATML_TOOLS = (
    "{%- if tools %}{{- '<|im_start|>system\\n' }}{%- if messages[0]['role'] == 'system' %}{{- messages[0]['content'] }}{%- else %}{{- 'Be kind.' }}{%- endif %}{{- '# Tools<|im_end|>\\n' }}"
    "{%- else %}{%- if messages[0]['role'] == 'system' %}{{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}"
    "{%- else %}{{- '<|im_start|>system\\nBe kind.<|im_end|>\\n' }}{%- endif %}{%- endif %}"
    "{%- for m in messages %}{%- if m.role == 'user' %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>' + '\\n' }}{%- endif %}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}"
)
GEMMA = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for m in messages %}{{ '<start_of_turn>' + m['role'] + '\n' + m['content'] | trim + '<end_of_turn>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"
)
GEMMA_3 = (
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{% set prefix = messages[0]['content'] + '\n\n' %}{% set rest = messages[1:] %}{% else %}{% set prefix = '' %}{% set rest = messages %}{% endif %}"
    "{% for m in rest %}{{ '<start_of_turn>' + m['role'] + '\n' + (prefix if loop.first else '') }}{{ m['content'] | trim }}{{ '<end_of_turn>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}"
)
PHI_3 = (
    "{% for m in messages %}{% if m['role'] == 'system' %}{{ '<|system|>\n' + m['content'] + '<|end|>\n' }}"
    "{% elif m['role'] == 'user' %}{{ '<|user|>\n' + m['content'] + '<|end|>\n' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}"
)
ZEPHYR = (
    "{% for m in messages %}\n{% if m['role'] == 'user' %}\n{{ '<|user|>\n' + m['content'] + eos_token }}\n"
    "{% elif m['role'] == 'system' %}\n{{ '<|system|>\n' + m['content'] + eos_token }}\n{% endif %}\n"
    "{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}"
)
DEEPSEEK = (
    "{% set ns = namespace(system='') %}{% for m in messages %}{% if m['role'] == 'system' %}{% set ns.system = m['content'] %}{% endif %}{% endfor %}"
    "{{ bos_token }}{{ ns.system }}{% for m in messages %}{% if m['role'] == 'user' %}{{ '<｜User｜>' + m['content'] }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<｜Assistant｜><think>\\n' }}{% endif %}"
)

TEMPLATES = [  # form, template, whether it takes system messages
    ("llama-3", LLAMA_3, True), ("llama-3.1", LLAMA_3_1, True), ("llama-2", LLAMA_2, True), ("mistral", MISTRAL, False),
    ("chatml", CHATML_PLAIN, True), ("chatml", CHATML_THINKING, True), ("chatml", CHATML_TOOLS, True), ("gemma", GEMMA, False),
    ("gemma", GEMMA_3, True), ("phi-3", PHI_3, True), ("zephyr", ZEPHYR, True), ("deepseek", DEEPSEEK, True),
]


def rendered(template, system):
    messages = ([{"role": "system", "content": SYSTEM}] if system else []) + [{"role": "user", "content": USER}]
    text, _ = render_jinja_template([messages], chat_template=template, add_generation_prompt=True, bos_token="<s>", eos_token="</s>")
    return text[0]


def filtered(logits, temperature, top_k, top_p):
    scores = torch.tensor([logits], dtype=torch.float64)
    scores = TemperatureLogitsWarper(temperature)(None, scores)
    if top_k:
        scores = TopKLogitsWarper(top_k)(None, scores)
    if top_p < 1:
        scores = TopPLogitsWarper(top_p)(None, scores)
    return torch.softmax(scores, -1)[0].tolist()


def main():
    smollm2, output = sys.argv[1:]
    smol = open(f"{smollm2}/chat_template.jinja", encoding="utf-8").read()
    tokenizer = AutoTokenizer.from_pretrained(smollm2)
    torch.manual_seed(0)
    logits = (torch.randn(60) * 2).round(decimals=3).tolist()
    settings = [(1.0, 0, 1.0), (0.7, 0, 1.0), (1.0, 5, 1.0), (1.0, 0, 0.9), (1.3, 20, 0.8), (0.5, 3, 0.5), (2.0, 0, 0.05), (1.0, 100, 0.999)]
    chats = []
    for form, template, takes_system in [("chatml", smol, True), *TEMPLATES]:
        chats.append({"form": form, "template": template, "text": rendered(template, False), "with_system": rendered(template, True) if takes_system else None})
    result = {
        "made_by": "tests/generation/python/generation_reference.py",
        "logits": logits,
        "filters": [{"temperature": t, "top_k": k, "top_p": p, "probabilities": filtered(logits, t, k, p)} for t, k, p in settings],
        "user": USER, "system": SYSTEM, "bos": "<s>", "eos": "</s>", "chats": chats,
        "smollm2_ids": tokenizer.apply_chat_template([{"role": "user", "content": USER}], add_generation_prompt=True, return_dict=False),
    }
    with open(output, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
        file.write("\n")


main()
