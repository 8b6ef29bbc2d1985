import { locationOperations } from './location-operations.ts'
import { maintenanceOperations } from './maintenance-operations.ts'
import { readOperations } from './read-operations.ts'
import { writeOperations } from './write-operations.ts'

/** The repository of a project: specification 2, "Repository". */
export const repository = {
  ...readOperations,
  ...locationOperations,
  ...writeOperations,
  ...maintenanceOperations,
}
