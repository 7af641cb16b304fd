# Debian's Redis under the name that the drivers' tests and docker-compose.containers.yml ask for.
FROM node:22-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends redis-server \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* \
 && install -d /data
WORKDIR /data
# As the official image: whoever reaches the port may use it.
ENTRYPOINT ["sh", "-c", "exec \"$@\" --protected-mode no", "--"]
CMD ["redis-server"]
