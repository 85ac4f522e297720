import os, torch, oomrec
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, TrainerCallback
FIX = os.environ.get('FIX')

class Texts(torch.utils.data.Dataset):
    def __len__(self): return 512
    def __getitem__(self, i): return {'input_ids': torch.full((256,), i), 'labels': torch.full((256,), i)}

class ProbeTrainer(Trainer):
    """also looks at how large the last hidden states get"""
    def __init__(self, *a, **k):
        super().__init__(*a, **k); self.probes = []
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        out = model(**inputs, output_hidden_states=True)
        last = out.hidden_states[-1]
        self.probes.append(last.detach().norm(dim=-1).mean() if FIX else last.detach())
        return (out.loss, out) if return_outputs else out.loss

class Tick(TrainerCallback):
    def on_step_end(self, *a, **k): oomrec.tick()

def main():
    model = GPT2LMHeadModel(GPT2Config(n_embd=768, n_layer=3, n_head=12, vocab_size=8000))
    args = TrainingArguments(output_dir='/tmp/blind/_w/hfout', per_device_train_batch_size=16, gradient_accumulation_steps=4, max_steps=40, learning_rate=1e-4, report_to=[], save_strategy='no', logging_strategy='no', disable_tqdm=True)
    ProbeTrainer(model=model, args=args, train_dataset=Texts(), callbacks=[Tick()]).train()

if __name__ == '__main__': oomrec.run(main)
