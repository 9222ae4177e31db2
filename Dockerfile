# `docker build --tag cardsharp .`, then `docker run --rm --interactive --tty cardsharp play dalmuti`. docs/install.md says more.
#
# Build arguments:
#   FEATURES  what is in the program besides games, bots, arena and advice: any of bots,dataset,serve,train; without it, what plays
#   CPU       the x86-64 processor it is compiled for; x86-64-v3 is for machines with AVX2

FROM rust:1.95.0-alpine3.22 AS build
ARG FEATURES=bots
ARG CPU=x86-64-v2
WORKDIR /project
COPY . .
# On Alpine a program is linked statically, and needs nothing of the image that it goes into.
RUN if [ "$(uname -m)" = x86_64 ]; then export RUSTFLAGS="-C target-cpu=$CPU"; fi \
    && cargo build --locked --profile dist --package cardsharp-cli --no-default-features --features "$FEATURES"

FROM scratch
COPY --from=build /project/target/dist/cardsharp /usr/local/bin/cardsharp
COPY LICENSE-APACHE LICENSE-MIT /licences/
# Where files are read and written: `--volume "$PWD:/work" --user "$(id -u):$(id -g)"` makes them one's own.
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/cardsharp"]
CMD ["--help"]
