import type { FileTemplate } from './template.ts'

/** Short texts to start a file with, in the style of the tools that they are for. */
const template = (name: string, lines: readonly string[]): FileTemplate => ({
  key: name,
  name,
  content: `${lines.join('\n')}\n`,
})

/** A pipeline with one job that tests in an image. */
const pipeline = (name: string, image: string, ...script: readonly string[]) =>
  template(name, ['test:', `  image: ${image}`, '  script:', ...script.map((line) => `    - ${line}`)])

export const pipelineTemplates: readonly FileTemplate[] = [
  template('Bash', ['build:', '  stage: build', '  script:', '    - echo "Building"']),
  pipeline('C++', 'gcc:latest', 'cmake -B build', 'cmake --build build', 'ctest --test-dir build'),
  template('Docker', [
    'build-image:',
    '  stage: build',
    '  image: docker:latest',
    '  services: [docker:dind]',
    '  script:',
    '    - docker build --tag "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA" .',
    '    - docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA"',
  ]),
  pipeline('dotNET', 'mcr.microsoft.com/dotnet/sdk:latest', 'dotnet test'),
  pipeline('Elixir', 'elixir:latest', 'mix local.hex --force', 'mix deps.get', 'mix test'),
  pipeline('Go', 'golang:latest', 'go vet ./...', 'go test ./...'),
  pipeline('Gradle', 'gradle:latest', 'gradle check'),
  pipeline('Maven', 'maven:latest', 'mvn --batch-mode verify'),
  pipeline('Nodejs', 'node:lts', 'npm ci', 'npm test'),
  pipeline('PHP', 'composer:latest', 'composer install', 'vendor/bin/phpunit'),
  pipeline('Python', 'python:3', 'pip install --requirement requirements.txt', 'python -m pytest'),
  pipeline('Ruby', 'ruby:latest', 'bundle install', 'bundle exec rake'),
  pipeline('Rust', 'rust:latest', 'cargo test'),
  pipeline('Swift', 'swift:latest', 'swift test'),
]

/** An image that copies the files, runs commands and starts a program. */
const image = (name: string, base: string, run: readonly string[], command: readonly string[]) =>
  template(name, [
    `FROM ${base}`,
    'WORKDIR /app',
    'COPY . .',
    ...run.map((line) => `RUN ${line}`),
    `CMD [${command.map((word) => `"${word}"`).join(', ')}]`,
  ])

export const dockerfileTemplates: readonly FileTemplate[] = [
  image('Golang', 'golang', ['go build -o /usr/local/bin/app .'], ['app']),
  template('HTTPd', ['FROM httpd', 'COPY . /usr/local/apache2/htdocs/']),
  image('Node', 'node:lts-slim', ['npm ci --omit=dev'], ['node', 'index.js']),
  image('OpenJDK', 'eclipse-temurin', [], ['java', '-jar', 'app.jar']),
  image('PHP', 'php:cli', [], ['php', 'index.php']),
  image(
    'Python',
    'python:3-slim',
    ['pip install --no-cache-dir --requirement requirements.txt'],
    ['python', 'main.py'],
  ),
  image('Ruby', 'ruby', ['bundle install'], ['bundle', 'exec', 'ruby', 'main.rb']),
  image('Rust', 'rust', ['cargo install --path .'], ['app']),
  image('Swift', 'swift', ['swift build --configuration release'], ['.build/release/app']),
]
