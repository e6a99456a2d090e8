# An image with mcpc and nothing else. Build it beside the packed file of a release:
#   npm pack && docker build --tag mcpc .
#   docker run --rm --read-only --tmpfs /tmp --volume "$PWD:/work" mcpc check --url http://host:3000/mcp
FROM node:22-alpine
ARG VERSION=0.1.0
COPY mcpc-${VERSION}.tgz /tmp/mcpc.tgz
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/mcpc.tgz && rm /tmp/mcpc.tgz && npm cache clean --force
USER node
WORKDIR /work
ENTRYPOINT ["mcpc"]
CMD ["--help"]
