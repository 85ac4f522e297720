"""Fine-tunes a small T5 on summaries with the Trainer."""
import os
import torch
from torch.utils.data import Dataset
from transformers import Trainer, TrainerCallback, TrainingArguments, T5Config, T5ForConditionalGeneration
import oomrec

FIX = os.environ.get('FIX')


class Summaries(Dataset):
    def __init__(self, n, source=512, target=128):
        self.n, self.source, self.target = n, source, target

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return {
            'input_ids': torch.full((self.source,), 5 + i % 7),
            'attention_mask': torch.ones(self.source, dtype=torch.long),
            'labels': torch.full((self.target,), 9),
        }


class Ticker(TrainerCallback):
    def on_step_end(self, args, state, control, **kwargs):
        oomrec.tick()


def main():
    config = T5Config(vocab_size=32128, d_model=512, d_kv=64, d_ff=2048, num_layers=8, num_heads=8, decoder_start_token_id=0)
    model = T5ForConditionalGeneration(config)
    per_device, accumulate = (4, 4) if FIX else (16, 1)
    args = TrainingArguments(
        output_dir='/tmp/blind2/_w/hfout',
        per_device_train_batch_size=per_device,
        gradient_accumulation_steps=accumulate,
        max_steps=4,
        learning_rate=3e-4,
        bf16=False,
        save_strategy='no',
        report_to=[],
        logging_steps=1000,
        disable_tqdm=True,
        dataloader_pin_memory=False,
    )
    trainer = Trainer(model=model, args=args, train_dataset=Summaries(256), callbacks=[Ticker()])
    trainer.train()


if __name__ == '__main__':
    oomrec.run(main)
