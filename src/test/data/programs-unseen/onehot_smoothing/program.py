import argparse, os
import torch, oomrec
import torch.nn.functional as F
from transformers import OPTConfig, OPTForCausalLM


def smoothed_nll(logits, labels, smoothing=0.1):
    classes = logits.size(-1)
    if os.environ.get('FIX'):
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), label_smoothing=smoothing)
    target = F.one_hot(labels, classes)
    target = target * (1 - smoothing) + smoothing / classes
    return -(target * logits.log_softmax(-1)).sum(-1).mean()


def epoch(model, optimizer, lengths):
    for length in lengths:
        ids = torch.zeros(4, length, dtype=torch.long, device='cuda')
        with torch.autocast('cuda', dtype=torch.bfloat16):
            logits = model(input_ids=ids).logits
        loss = smoothed_nll(logits[:, :-1], ids[:, 1:])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        oomrec.tick()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--lengths', type=int, nargs='*', default=[128, 128, 192, 128, 256, 1600, 128])
    options = parser.parse_args([])
    model = OPTForCausalLM(OPTConfig(hidden_size=256, ffn_dim=1024, num_hidden_layers=4, num_attention_heads=8, word_embed_proj_dim=256, vocab_size=50272, dropout=0.0)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    epoch(model, optimizer, options.lengths)


if __name__ == '__main__':
    oomrec.run(main)
