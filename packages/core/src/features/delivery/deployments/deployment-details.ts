import type { Environment } from '../environments/environment.ts'
import type { Deployment } from './deployment.ts'

/** A deployment with its environment. */
export interface DeploymentDetails extends Deployment {
  /** Time of the last change of the status; ISO 8601 in UTC with milliseconds. */
  updatedAt: string
  /** The environment that received the deployment. */
  environment: Environment
}
