# Three stages: the frontend (Node), the jar (JDK, Maven), and the runtime (JRE, the extracted jar and an
# AOT cache, recorded while the service does what users do, which halves the time to the first page).
FROM node:22-bookworm-slim AS frontend
WORKDIR /build/frontend
COPY frontend ./
RUN npm ci --no-audit --no-fund && npm run build

FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /build
COPY pom.xml ./
COPY script script
COPY src src
COPY --from=frontend /build/target/classes/static target/classes/static
RUN mvn -q -B -Dmaven.test.skip=true -Dfrontend.skip=true package \
  && java -Djarmode=tools -jar target/vramscope.jar extract --destination /app

FROM eclipse-temurin:25-jre
RUN useradd --system --home-dir /data vramscope && mkdir /data && chown vramscope /data
COPY --from=build --chown=vramscope /app /app
USER vramscope
WORKDIR /app
RUN java -XX:AOTCacheOutput=vramscope.aot -Dvramscope.training=true \
  -jar vramscope.jar --vramscope.data-dir=/tmp/training --server.port=0 && rm -rf /tmp/training
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD curl -fs http://127.0.0.1:8080/actuator/health || exit 1
ENTRYPOINT ["java", "-XX:AOTCache=vramscope.aot", "-jar", "vramscope.jar", "--vramscope.data-dir=/data"]
# In a container the service must listen on all interfaces, so it requires VRAMSCOPE_TOKEN.
CMD ["--server.address=0.0.0.0"]
