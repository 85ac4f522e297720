import collections, copy, os
import torch
from transformers import Qwen2Config, Qwen2ForCausalLM
import oomrec


def build():
    cfg = Qwen2Config(hidden_size=512, intermediate_size=1536, num_hidden_layers=6, num_attention_heads=8, num_key_value_heads=4, vocab_size=16000)
    policy = Qwen2ForCausalLM(cfg).to('cuda')
    reference = copy.deepcopy(policy).requires_grad_(False).eval()
    return policy, reference


def logprobs_and_entropy(model, sequences, prompt_len):
    logits = model(input_ids=sequences[:, :-1]).logits[:, prompt_len - 1:]
    logp = torch.log_softmax(logits, dim=-1)
    entropy = -(logp.exp() * logp).sum(-1)
    return logp.gather(-1, sequences[:, prompt_len:, None]).squeeze(-1), entropy


class GroupTrainer:
    beta, eps, group = 0.04, 0.2, 8

    def __init__(self):
        self.policy, self.reference = build()
        self.optimizer = torch.optim.AdamW(self.policy.parameters(), lr=1e-6)
        self.metrics = collections.defaultdict(list)

    def rollout(self, prompt):
        tail = torch.zeros(self.group, 192, dtype=torch.long, device='cuda')
        return torch.cat([prompt.repeat(self.group, 1), tail], dim=1)

    def advantages(self, sequences):
        rewards = torch.rand(self.group, device='cuda')
        return (rewards - rewards.mean()) / (rewards.std() + 1e-4)

    def step(self, prompt):
        sequences = self.rollout(prompt)
        adv = self.advantages(sequences)[:, None]
        n = prompt.shape[1]
        with torch.no_grad():
            ref_logp, _ = logprobs_and_entropy(self.reference, sequences, n)
        logp, entropy = logprobs_and_entropy(self.policy, sequences, n)
        ratio = torch.exp(logp - logp.detach())
        kl = torch.exp(ref_logp - logp) - (ref_logp - logp) - 1
        objective = torch.min(ratio * adv, ratio.clamp(1 - self.eps, 1 + self.eps) * adv) - self.beta * kl
        loss = -objective.mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.track(loss, kl, entropy)

    def track(self, loss, kl, entropy):
        self.metrics['loss'].append(loss.item())
        self.metrics['kl'].append(kl.mean().item())
        self.metrics['entropy'].append(entropy.mean().detach() if os.environ.get('FIX') else entropy.mean())


def main():
    trainer = GroupTrainer()
    for _ in range(24):
        trainer.step(torch.zeros(1, 64, dtype=torch.long, device='cuda'))
        oomrec.tick()


if __name__ == '__main__':
    oomrec.run(main)
