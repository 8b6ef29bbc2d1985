import { features, type Operation } from '@forgelet/core/operations'

/** The names of all operations, in the order of the feature table. */
export const operationNames: ReadonlyMap<Operation, string> = new Map<Operation, string>(
  Object.entries(features).flatMap(([feature, operations]) =>
    Object.entries(operations).map(([verb, operation]) => [operation as Operation, `${feature}.${verb}`] as const),
  ),
)

/** The name of an operation: `labels.list`. */
export const getOperationName = (operation: Operation): string | undefined => operationNames.get(operation)

/** Whether an operation has this name. */
export const isOperationName = (name: string): boolean => [...operationNames.values()].includes(name)
