import os, torch, torch.nn.functional as F, lightning as L, oomrec
from torch.utils.data import DataLoader, TensorDataset
FIX = os.environ.get('FIX')

class Retriever(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.tower = torch.nn.Sequential(torch.nn.Linear(768, 3072), torch.nn.GELU(), torch.nn.Linear(3072, 3072), torch.nn.GELU(), torch.nn.Linear(3072, 256))
        self.found = []

    def training_step(self, batch, _):
        a, b = self.tower(batch[0]), self.tower(batch[1])
        return F.cross_entropy(a @ b.t(), torch.arange(len(a), device=a.device))

    def validation_step(self, batch, _):
        self.found.append((self.tower(batch[0]), self.tower(batch[1])))

    def on_validation_epoch_end(self):
        queries = torch.cat([q for q, _ in self.found]); documents = torch.cat([d for _, d in self.found]); self.found.clear()
        if FIX:
            worse = sum((q @ documents.t() > (q * d).sum(1, keepdim=True)).sum() for q, d in zip(queries.split(512), documents.split(512)))
        else:
            scores = queries @ documents.t()
            worse = (scores > scores.diagonal()[:, None]).sum()
        self.log('worse', worse.float())

    def on_train_batch_end(self, *a): oomrec.tick()
    def on_validation_batch_end(self, *a): oomrec.tick()
    def configure_optimizers(self): return torch.optim.AdamW(self.parameters(), lr=1e-3)

def pairs(n, batch): return DataLoader(TensorDataset(torch.zeros(n, 768), torch.zeros(n, 768)), batch_size=batch)

def main():
    trainer = L.Trainer(max_epochs=2, accelerator='gpu', devices=1, logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(Retriever(), pairs(10240, 1024), pairs(32768, 2048))

if __name__ == '__main__': oomrec.run(main)
