/** The project of a job. */
export interface RunnerJobProject {
  /** Id of the project. */
  id: number
  /** Display name of the project. */
  name: string
  /** Full path: `acme/web`. */
  fullPath: string
}

/** A variable of a job. */
export interface RunnerVariable {
  /** Name of the variable. */
  key: string
  /** Value, which can refer to other variables. */
  value: string
  /** Whether logs may contain the value. */
  public: boolean
  /** Whether the runner hides the value in logs. */
  masked: boolean
  /** Whether the value is the content of a file, whose path the job receives. */
  file: boolean
  /** Whether the runner keeps references to other variables in the value. */
  raw: boolean
}

/** Commands of a job. */
export interface RunnerStep {
  /** `script` or `after_script`. */
  name: string
  /** The commands. */
  script: string[]
  /** Most seconds of the commands. */
  timeout: number
  /** When the commands run: `on_success` or `always`. */
  when: string
  /** Whether the job succeeds although the commands fail. */
  allowFailure: boolean
}

/** A container image. */
export interface RunnerImage {
  /** Name of the image, with its tag. */
  name: string
  /** Name of the host of a service; null for the default. */
  alias: string | null
  /** Command of the container; null for that of the image. */
  entrypoint: string[] | null
  /** Arguments of the command; null for those of the image. */
  command: string[] | null
}

/** An earlier job whose artifacts a job receives. */
export interface RunnerDependency {
  /** Id of the job. */
  id: number
  /** Name of the job. */
  name: string
  /** Name of the archive. */
  fileName: string
  /** Size of the archive in bytes. */
  size: number
}

/** A job as a runner receives it. */
export interface RunnerJob {
  /** Id of the job. */
  id: number
  /** Token with which the runner reports the job, and the job uses the API; valid while it runs. */
  token: string
  /** Name of the job. */
  name: string
  /** Name of the stage. */
  stage: string
  /** The project of the job. */
  project: RunnerJobProject
  /** Name of the branch or tag. */
  ref: string
  /** Whether `ref` is a tag. */
  tag: boolean
  /** SHA of the commit. */
  sha: string
  /** SHA of the branch before the push; null without one. */
  beforeSha: string | null
  /** The references that the runner fetches, as of `git fetch`. */
  refspecs: string[]
  /** Number of commits that the runner fetches; 0 for all. */
  depth: number
  /** Whether the runner fetches into an existing working copy. */
  allowGitFetch: boolean
  /** Most seconds of the job. */
  timeout: number
  /** Variables, later ones replacing earlier ones. */
  variables: RunnerVariable[]
  /** Commands in their order. */
  steps: RunnerStep[]
  /** Image of the job; null for the default of the runner. */
  image: RunnerImage | null
  /** Images of services of the job. */
  services: RunnerImage[]
  /** Files that the runner uploads, with the keys of `artifacts` of the pipeline file. */
  artifacts: Record<string, unknown>[]
  /** Files that the runner keeps for other jobs, with the keys of `cache` of the pipeline file. */
  caches: Record<string, unknown>[]
  /** Earlier jobs whose artifacts the job receives. */
  dependencies: RunnerDependency[]
}
