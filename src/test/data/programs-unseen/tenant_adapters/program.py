"""One base model, one adapter for each tenant, made when the tenant first calls."""
import os
import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM
import oomrec

FIX = os.environ.get('FIX')
KEEP = 4


def lora():
    return LoraConfig(r=128, lora_alpha=128, target_modules=['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'])


class AdapterServer(object):
    def __init__(self):
        base = LlamaForCausalLM(LlamaConfig(hidden_size=1024, intermediate_size=2816, num_hidden_layers=8, num_attention_heads=16, num_key_value_heads=8, vocab_size=96000)).cuda()
        self.model = get_peft_model(base, lora(), adapter_name='default').eval()
        self.loaded = []

    def ensure(self, tenant):
        if tenant not in self.loaded:
            self.model.add_adapter(tenant, lora())
            self.loaded.append(tenant)
            while FIX and len(self.loaded) > KEEP:
                self.model.delete_adapter(self.loaded.pop(0))
        self.model.set_adapter(tenant)

    @torch.no_grad()
    def answer(self, tenant, prompt):
        self.ensure(tenant)
        cache, ids, out = None, prompt, []
        for _ in range(3):
            result = self.model(input_ids=ids, past_key_values=cache, use_cache=True, logits_to_keep=1)
            cache, ids = result.past_key_values, result.logits[:, -1:].argmax(-1)
            out.append(ids)
        return torch.cat(out, 1).cpu()


def main():
    server = AdapterServer()
    for call in range(36):
        tenant = 'tenant_%d' % (call if call % 3 else call // 2 * 2)
        server.answer(tenant, torch.zeros(2, 256, dtype=torch.long, device='cuda'))
        oomrec.tick()


if __name__ == '__main__':
    oomrec.run(main)
