import os
import torch
from torch import nn
from transformers import BertConfig, BertModel
import oomrec

FIX = bool(os.environ.get('FIX'))
DEVICE = torch.device('cuda')
TAGS = 17


class Tagger(nn.Module):
    """a pretrained encoder that stays as it is, and a small head that learns"""

    def __init__(self):
        super().__init__()
        self.encoder = BertModel(BertConfig(hidden_size=768, num_hidden_layers=10, num_attention_heads=12), add_pooling_layer=False)
        self.head = nn.Sequential(nn.Linear(768, 256), nn.ReLU(), nn.Linear(256, TAGS))

    def forward(self, ids, mask):
        features = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return self.head(features)


def batches(count, size=48, length=256):
    for _ in range(count):
        ids = torch.zeros(size, length, dtype=torch.long)
        yield ids.to(DEVICE), torch.ones_like(ids).to(DEVICE), torch.zeros(size, length, dtype=torch.long).to(DEVICE)


def fit(tagger, steps):
    if FIX:
        tagger.encoder.requires_grad_(False)
    optimizer = torch.optim.AdamW(tagger.head.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    for ids, mask, tags in batches(steps):
        scores = tagger(ids, mask)
        loss = criterion(scores.view(-1, TAGS), tags.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        oomrec.tick()


def main():
    tagger = Tagger().to(DEVICE)
    tagger.encoder.eval()
    fit(tagger, 5)


if __name__ == '__main__':
    oomrec.run(main)
