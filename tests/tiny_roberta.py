"""A randomly initialised RoBERTa small enough for tests."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaModel,
)

HIDDEN = 32
POSITIONS = 160
TEXTS = [
    "The cat chases the dog. Anne is not kind.",
    "If someone is big and they like the bald eagle then they are young.",
    "All rough, nice people are furry. The tiger does not need the squirrel.",
]


def roberta(folder: Path) -> Path:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=340, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", cls_token="<s>",
        sep_token="</s>", pad_token="<pad>", unk_token="<unk>", mask_token="<mask>",
    ).save_pretrained(folder)  # fmt: skip
    config = RobertaConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=HIDDEN, num_hidden_layers=2,
        num_attention_heads=4, intermediate_size=64, max_position_embeddings=POSITIONS + 2,
        pad_token_id=1, bos_token_id=0, eos_token_id=2, type_vocab_size=1,
    )  # fmt: skip
    RobertaModel(config).save_pretrained(folder)
    return folder


def bert(folder: Path) -> Path:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=200, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(TEXTS * 3, trainer)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]",
        unk_token="[UNK]", mask_token="[MASK]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(folder)  # fmt: skip
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=HIDDEN, num_hidden_layers=2,
        num_attention_heads=4, intermediate_size=64, max_position_embeddings=POSITIONS,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return folder
