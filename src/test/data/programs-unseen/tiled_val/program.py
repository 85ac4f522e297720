import os
import logging
import torch
import timm
import lightning as L
from torch.utils.data import DataLoader, TensorDataset
import oomrec

logging.getLogger('lightning.pytorch').setLevel(logging.ERROR)
torch.backends.cudnn.enabled = False


def tile(slide, size=224):
    """cuts one slide into tiles: (n, 3, size, size)"""
    c, h, w = slide.shape
    t = slide.unfold(1, size, size).unfold(2, size, size)
    return t.permute(1, 2, 0, 3, 4).reshape(-1, c, size, size)


class SlideClassifier(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.backbone = timm.create_model('vit_tiny_patch16_224', pretrained=False, num_classes=5)

    def training_step(self, batch, index):
        tiles, label = batch
        return torch.nn.functional.cross_entropy(self.backbone(tiles), label)

    def on_train_batch_end(self, outputs, batch, batch_idx):
        oomrec.tick()

    def validation_step(self, batch, index):
        (slide,) = batch
        tiles = tile(slide[0])
        if os.environ.get('FIX'):
            votes = torch.cat([self.backbone(part) for part in tiles.split(64)])
        else:
            votes = self.backbone(tiles)
        self.log('val_score', votes.softmax(-1).mean())

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-4)


def loaders():
    train = TensorDataset(torch.zeros(96, 3, 224, 224), torch.zeros(96, dtype=torch.long))
    slides = TensorDataset(torch.zeros(2, 3, 224 * 32, 224 * 32))
    return DataLoader(train, batch_size=16), DataLoader(slides, batch_size=1)


def main():
    trainer = L.Trainer(max_epochs=2, accelerator='gpu', devices=1, logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(SlideClassifier(), *loaders())


if __name__ == '__main__':
    oomrec.run(main)
