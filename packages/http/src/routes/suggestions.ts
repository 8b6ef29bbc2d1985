import { features } from '@forgelet/core/operations'
import { all, one } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { SuggestionWire } from '../shapes/discussion.ts'

const { suggestions } = features

export const suggestionRoutes = [
  route('PUT /suggestions/:id/apply', suggestions.apply, one(SuggestionWire), {
    extension: true,
    names: { id: 'suggestion' },
  }),
  route('PUT /suggestions/batch_apply', suggestions.applyBatch, all(SuggestionWire), {
    extension: true,
    names: { ids: 'suggestions' },
  }),
]
