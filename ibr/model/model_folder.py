"""A model folder: `config.json`, `model.safetensors` and the words that the model knows.

`HubModel` gives a model `save_pretrained`, `from_pretrained` and `push_to_hub` of huggingface_hub;
a folder with a pretrained encoder also has its tokenizer and its shape, in `encoder/`.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import torch
from huggingface_hub import ModelCard, PyTorchModelHubMixin, snapshot_download
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor, nn

from ibr.decoding.manifest import CONFIG, WEIGHTS
from ibr.errors import ModelUnusable
from ibr.files import write_file
from ibr.inputs.model_words import ModelWords, read_words, write_json
from ibr.model.config import EncoderConfig, IBRConfig, check_sizes, misfit

ENCODER: Final = "encoder"  # tokenizer and shape of a pretrained encoder


class HubModel(nn.Module, PyTorchModelHubMixin, library_name="ibr", tags=["proof-generation"]):
    """A model that knows how to write itself into a folder and to read itself from one."""

    config_class: ClassVar[type[EncoderConfig]] = IBRConfig
    config: Any  # of that class
    words: ModelWords

    def __init__(self, config: EncoderConfig, words: ModelWords) -> None:
        super().__init__()
        self.config, self.words = config, words

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    def write(self, folder: Path) -> None:
        write_json(folder / CONFIG, self.config.to_json())
        self.words.write(folder)
        write_tensors(folder / WEIGHTS, self.state_dict())
        if self.config.pretrained:
            from ibr.model.encoders.pretrained import save_description

            save_description(self.config.pretrained, folder / ENCODER)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """For inference. Raises ModelUnusable, which names the file."""
        config = cls.config_class.read(folder / CONFIG)
        if config.pretrained and (folder / ENCODER).is_dir():  # so that no hub is needed
            own = replace(config.pretrained, name=str(folder / ENCODER))
            config = replace(config, pretrained=own)
        if isinstance(config, IBRConfig):
            check_sizes(config, folder / WEIGHTS)
        words = read_words(folder, config.compact.words if config.compact else 0)
        weights = read_tensors(folder / WEIGHTS)
        with torch.device("meta"):  # takes no memory, whatever sizes a foreign config has
            wanted = cls(config, weights=False, words=words).state_dict()  # type: ignore[call-arg]
        for name in sorted({*wanted, *weights}):
            both = weights.get(name), wanted.get(name)
            found, shape = (None if each is None else tuple(each.shape) for each in both)
            if found != shape:
                raise misfit(folder / WEIGHTS, f"{name} is {found}, not {shape}")
        model = cls(config, weights=False, words=words)  # type: ignore[call-arg]
        model.load_state_dict(weights)
        return model.eval()

    def generate_model_card(self, *args: Any, **kwargs: Any) -> ModelCard:
        """With the words that a model of anonymous words knows by name."""
        card = super().generate_model_card(*args, **kwargs)
        if self.config.compact:
            card.text += self.words.known.description
        return card

    def _save_pretrained(self, save_directory: Path) -> None:
        self.write(save_directory)

    @classmethod
    def _from_pretrained(cls, *, model_id: str, config: Any = None, **hub: Any) -> Self:
        is_folder = Path(model_id).is_dir()
        return cls.read(Path(model_id if is_folder else snapshot_download(model_id, **hub)))


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    write_file(path, save(plain))


def read_tensors(path: Path) -> dict[str, Tensor]:
    try:
        return load_file(path)
    except FileNotFoundError:
        raise ModelUnusable(path, "is missing") from None
    except (SafetensorError, OSError) as error:
        raise ModelUnusable(path, f"damaged, or no safetensors file: {error}") from None
