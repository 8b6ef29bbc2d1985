import { features, type Operation } from '@forgelet/core/operations'

const operationNames = new Map<Operation, string>(
  Object.entries(features).flatMap(([feature, operations]) =>
    Object.entries(operations).map(([verb, operation]) => [operation as Operation, `${feature}.${verb}`] as const),
  ),
)

/** The name of an operation: `labels.list`. */
export const getOperationName = (operation: Operation): string | undefined => operationNames.get(operation)

/** Whether an operation has this name. */
export const isOperationName = (name: string): boolean => [...operationNames.values()].includes(name)
