import gc, os, torch, oomrec
from transformers import GPT2Config, GPT2LMHeadModel, BertConfig, BertForSequenceClassification
FIX = os.environ.get('FIX')

def finetune(policy, steps):
    optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-5)
    for _ in range(steps):
        ids = torch.zeros(4, 128, dtype=torch.long, device='cuda')
        policy(input_ids=ids, labels=ids).loss.backward()
        optimizer.step(); optimizer.zero_grad()
        oomrec.tick()
    return optimizer

@torch.no_grad()
def score(policy, reward, prompts):
    for ids in prompts:
        reward(input_ids=policy(input_ids=ids).logits.argmax(-1).clamp(0, 7999)).logits.cpu()
        oomrec.tick()

def main():
    with torch.device('cuda'): policy = GPT2LMHeadModel(GPT2Config(n_embd=1024, n_layer=14, n_head=16, vocab_size=8000))
    optimizer = finetune(policy, 6)
    checkpoint = {'model': policy.state_dict(), 'optimizer': optimizer.state_dict()}       # saved at the end
    if FIX: optimizer = checkpoint = None
    with torch.device('cuda'): reward = BertForSequenceClassification(BertConfig(hidden_size=1024, num_hidden_layers=36, num_attention_heads=16, intermediate_size=4096, vocab_size=8000, num_labels=1)).eval()
    score(policy, reward, [torch.zeros(8, 128, dtype=torch.long, device='cuda')] * 4)

if __name__ == '__main__': oomrec.run(main)
