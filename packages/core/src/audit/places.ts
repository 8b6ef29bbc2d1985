import { findGroup, findNamespace } from '../access/namespaces.ts'
import { findProject } from '../access/projects.ts'
import { type AuditEntry, auditEvent, entityOf, entityTarget, groupEntity, theInstance, toText } from './entry.ts'

/** A removed project is an event of its group, or of the instance, because its own events cannot be listed any more. */
export const projectRemoved: AuditEntry = {
  async describe({ ctx, subject }) {
    if (subject.kind !== 'project') return []
    const { id, namespaceId } = subject.project
    const isMarked = (await findProject(ctx, id))?.markedForDeletionOn != null
    const namespace = await findNamespace(ctx, namespaceId)
    const entity = namespace?.kind === 'group' ? groupEntity(namespace) : theInstance
    const event = isMarked ? 'project_deletion_marked' : 'project_destroyed'
    const customMessage = isMarked ? 'Marked project for deletion' : 'Removed project'
    return [auditEvent(event, entity, entityTarget(entityOf({ subject })), { customMessage })]
  },
}

export const groupRemoved: AuditEntry = {
  async describe({ ctx, subject }) {
    if (subject.kind !== 'group') return []
    const isMarked = (await findGroup(ctx, subject.group.id))?.markedForDeletionOn != null
    const event = isMarked ? 'group_deletion_marked' : 'group_destroyed'
    const customMessage = isMarked ? 'Marked group for deletion' : 'Removed group'
    const entity = entityOf({ subject })
    return [auditEvent(event, entity, entityTarget(entity), { customMessage })]
  },
}

export const pipelineRemoved: AuditEntry = {
  describe: (call) => {
    const { pipeline } = call.fields
    const target = { type: 'Ci::Pipeline', id: typeof pipeline === 'number' ? pipeline : null, name: toText(pipeline) }
    return [auditEvent('destroy_pipeline', entityOf(call), target, { customMessage: 'Removed pipeline' })]
  },
}

export const deploymentDecided: AuditEntry = {
  describe: (call) => {
    const { deployment, status } = call.fields
    const target = { type: 'Deployment', id: typeof deployment === 'number' ? deployment : null, name: null }
    const isApproved = status === 'approved'
    const customMessage = isApproved ? 'Approved deployment' : 'Rejected deployment'
    return [
      auditEvent(isApproved ? 'deployment_approved' : 'deployment_rejected', entityOf(call), target, { customMessage }),
    ]
  },
}
