# Build: JDK and Node; run: a JRE, the unpacked jar and an AOT cache made by one start.
FROM maven:3.9-eclipse-temurin-25 AS build
RUN apt-get update && apt-get install -y --no-install-recommends nodejs npm && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY pom.xml ./
COPY script script
COPY frontend frontend
COPY src src
RUN mvn -q -B -DskipTests package \
  && java -Djarmode=tools -jar target/vramscope.jar extract --destination /app

FROM eclipse-temurin:25-jre
RUN useradd --system --home-dir /data vramscope && mkdir /data && chown vramscope /data
COPY --from=build --chown=vramscope /app /app
USER vramscope
WORKDIR /app
RUN java -XX:AOTCacheOutput=vramscope.aot -Dspring.context.exit=onRefresh \
  -jar vramscope.jar --vramscope.data-dir=/tmp/training --server.port=0 && rm -rf /tmp/training
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD curl -fs http://127.0.0.1:8080/actuator/health || exit 1
ENTRYPOINT ["java", "-XX:AOTCache=vramscope.aot", "-jar", "vramscope.jar", "--vramscope.data-dir=/data"]
# Inside a container the service must listen beyond loopback, so it asks for VRAMSCOPE_TOKEN.
CMD ["--server.address=0.0.0.0"]
