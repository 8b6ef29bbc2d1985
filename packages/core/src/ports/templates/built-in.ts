/** Short texts to start a file with, in the style of the tools that they are for. */

const lines = (...text: readonly string[]) => `${text.join('\n')}\n`

const gitignores = [
  {
    key: 'Go',
    name: 'Go',
    content: lines('# Binaries and test output', '*.exe', '*.test', '*.out', '/bin/', '/vendor/'),
  },
  {
    key: 'Java',
    name: 'Java',
    content: lines('# Compiled classes and archives', '*.class', '*.jar', '*.war', '/build/', '/target/', '.gradle/'),
  },
  {
    key: 'Node',
    name: 'Node',
    content: lines('# Installed packages', 'node_modules/', '', '# Output', 'dist/', 'coverage/', '*.log', '', '.env'),
  },
  {
    key: 'Python',
    name: 'Python',
    content: lines('# Byte code', '__pycache__/', '*.pyc', '', '# Environments', '.venv/', '', 'dist/', '*.egg-info/'),
  },
  { key: 'Rust', name: 'Rust', content: lines('# Output of cargo', '/target/') },
]

const gitlab_ci_ymls = [
  { key: 'Bash', name: 'Bash', content: lines('build:', '  stage: build', '  script:', '    - echo "Building"') },
  {
    key: 'Docker',
    name: 'Docker',
    content: lines(
      'build-image:',
      '  stage: build',
      '  image: docker:latest',
      '  services: [docker:dind]',
      '  script:',
      '    - docker build --tag "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA" .',
      '    - docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA"',
    ),
  },
  {
    key: 'Nodejs',
    name: 'Nodejs',
    content: lines('test:', '  image: node:lts', '  script:', '    - npm ci', '    - npm test'),
  },
  {
    key: 'Python',
    name: 'Python',
    content: lines(
      'test:',
      '  image: python:3',
      '  script:',
      '    - pip install --requirement requirements.txt',
      '    - python -m pytest',
    ),
  },
]

const dockerfiles = [
  {
    key: 'Node',
    name: 'Node',
    content: lines(
      'FROM node:lts-slim',
      'WORKDIR /app',
      'COPY package*.json ./',
      'RUN npm ci --omit=dev',
      'COPY . .',
      'CMD ["node", "index.js"]',
    ),
  },
  {
    key: 'Python',
    name: 'Python',
    content: lines(
      'FROM python:3-slim',
      'WORKDIR /app',
      'COPY requirements.txt .',
      'RUN pip install --no-cache-dir --requirement requirements.txt',
      'COPY . .',
      'CMD ["python", "main.py"]',
    ),
  },
]

/** The texts of open source licenses belong to their authors: hosts add them. */
const licenses = [
  {
    key: 'proprietary',
    name: 'All rights reserved',
    description: 'Allows nothing without written permission.',
    conditions: [],
    permissions: [],
    limitations: [],
    content: lines(
      'Copyright (c) [year] [fullname]. All rights reserved.',
      '',
      'You may not use, copy, change or pass on [project] without written permission of the copyright holder.',
    ),
  },
]

export const builtInTemplates = { gitignores, gitlab_ci_ymls, dockerfiles, licenses }
