# The page and the HTTP API: docker build -t ibr . && docker run --rm -p 127.0.0.1:8000:8000 ibr
# The digest is of the index for all platforms. To renew it, here and below:
#   docker buildx imagetools inspect python:3.11-slim
FROM python:3.11.16-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7 AS build

WORKDIR /source
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY examples examples
COPY ibr ibr
RUN python -m venv /opt/ibr \
    && /opt/ibr/bin/pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements.lock \
    && /opt/ibr/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11.16-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7

COPY --from=build /opt/ibr /opt/ibr
ENV PATH=/opt/ibr/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1

# Nothing is written, so any user will do; a number, so that it can be seen not to be root's.
USER 10001:10001
EXPOSE 8000

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as web; web.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]

# All addresses of the container; which of them others reach is for `docker run -p` to say.
ENTRYPOINT ["ibr"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
