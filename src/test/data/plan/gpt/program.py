import torch, torch.nn as nn, torch.nn.functional as F, rec
D, L, V, T = 640, 10, 32000, 384
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1 = nn.LayerNorm(D); self.qkv = nn.Linear(D, 3 * D); self.out = nn.Linear(D, D)
        self.ln2 = nn.LayerNorm(D); self.up = nn.Linear(D, 4 * D); self.down = nn.Linear(4 * D, D)
    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(b, t, 3, 10, 64).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, D)
        x = x + self.out(a)
        return x + self.down(F.gelu(self.up(self.ln2(x))))
class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, D); self.blocks = nn.ModuleList(Block() for _ in range(L)); self.head = nn.Linear(D, V)
    def forward(self, x):
        x = self.emb(x)
        for block in self.blocks: x = block(x)
        return self.head(x)
def main(B):
    with torch.device('cuda'): model = Gpt()
    opt = torch.optim.AdamW(model.parameters())
    for i in range(4):
        x = torch.zeros(B, T, dtype=torch.long, device='cuda')
        with torch.autocast('cuda', dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x).flatten(0, 1), x.flatten())
        opt.zero_grad(); loss.backward(); opt.step()
rec.run(main)
