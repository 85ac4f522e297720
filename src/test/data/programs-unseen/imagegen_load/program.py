"""text to image: text encoder, denoiser and decoder on one card"""
import os, torch, oomrec
import torch.nn as nn
from dataclasses import dataclass
from transformers import T5Config, T5EncoderModel

@dataclass
class Settings:
    width: int = 1536
    depth: int = 20
    heads: int = 16
    steps: int = 6
    latent: int = 1024

class Block(nn.Module):
    def __init__(self, w, h):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(w), nn.LayerNorm(w), nn.LayerNorm(w)
        self.self_attn = nn.MultiheadAttention(w, h, batch_first=True)
        self.cross_attn = nn.MultiheadAttention(w, h, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(w, 4 * w), nn.GELU(), nn.Linear(4 * w, w))
    def forward(self, x, text):
        y = self.norm1(x); x = x + self.self_attn(y, y, y, need_weights=False)[0]
        x = x + self.cross_attn(self.norm2(x), text, text, need_weights=False)[0]
        return x + self.ff(self.norm3(x))

class Denoiser(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.inp, self.text, self.out = nn.Linear(16, s.width), nn.Linear(1024, s.width), nn.Linear(s.width, 16)
        self.blocks = nn.ModuleList([Block(s.width, s.heads) for _ in range(s.depth)])
    def forward(self, z, text):
        x, text = self.inp(z), self.text(text)
        for block in self.blocks: x = block(x, text)
        return self.out(x)

class Pipeline:
    def __init__(self, settings, dtype):
        self.settings = settings
        self.text_encoder = self.place(lambda: T5EncoderModel(T5Config(d_model=1024, d_ff=4096, d_kv=64, num_heads=16, num_layers=24, vocab_size=32128)), dtype)
        self.denoiser = self.place(lambda: Denoiser(settings), dtype)
        self.decoder = self.place(lambda: nn.Sequential(nn.Linear(16, 4096), nn.SiLU(), nn.Linear(4096, 4096), nn.SiLU(), nn.Linear(4096, 8192), nn.SiLU(), nn.Linear(8192, 192)), dtype)
    @staticmethod
    def place(make, dtype):
        with torch.device('meta'): module = make()
        return module.to(dtype).to_empty(device='cuda').eval()     # as when a checkpoint is read straight into it
    @torch.inference_mode()
    def __call__(self, prompt_ids):
        text = self.text_encoder(input_ids=prompt_ids).last_hidden_state
        z = torch.randn(len(prompt_ids), self.settings.latent, 16, device='cuda', dtype=text.dtype)
        for t in range(self.settings.steps):
            z = z - self.denoiser(z, text) / self.settings.steps
        return self.decoder(z).float().cpu()

def main():
    pipe = Pipeline(Settings(), torch.bfloat16 if os.environ.get('FIX') else torch.float32)
    for request in range(3):
        pipe(torch.zeros(2, 77, dtype=torch.long, device='cuda'))
        oomrec.tick()

if __name__ == '__main__': oomrec.run(main)
