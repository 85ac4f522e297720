import contextlib, os, torch, torch.nn.functional as F, oomrec
from transformers import BertConfig, BertModel
FIX = os.environ.get('FIX')

def build(layers, width): return BertModel(BertConfig(hidden_size=width, num_hidden_layers=layers, num_attention_heads=width // 64, intermediate_size=4 * width, vocab_size=8000), add_pooling_layer=False)

def distill(student, bridge, teacher, loader, optimizer):
    for ids in loader:
        ids = ids.cuda()
        with torch.no_grad() if FIX else contextlib.nullcontext():
            target = teacher(input_ids=ids).last_hidden_state
        loss = F.mse_loss(bridge(student(input_ids=ids).last_hidden_state), target)
        optimizer.zero_grad(); loss.backward(); optimizer.step()
        oomrec.tick()

def main():
    torch.set_default_device('cuda')
    teacher = build(20, 1024).eval()
    student = build(4, 512).train()
    bridge = torch.nn.Linear(512, 1024, device='cuda')
    optimizer = torch.optim.AdamW([*student.parameters(), *bridge.parameters()], lr=1e-4)
    distill(student, bridge, teacher, [torch.zeros(16, 256, dtype=torch.long, device='cpu')] * 5, optimizer)

if __name__ == '__main__': oomrec.run(main)
