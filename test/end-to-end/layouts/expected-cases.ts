/** The whole table: which files in which folder become which submissions. */
import type { ExpectedCase } from './expected-case.ts'
import { expectedLayouts } from './expected-layouts.ts'
import { expectedManifests } from './expected-manifests.ts'
import { expectedProfiles } from './expected-profiles.ts'
import { expectedTroubles } from './expected-troubles.ts'

export const expectedCases: readonly ExpectedCase[] = [
  ...expectedLayouts,
  ...expectedManifests,
  ...expectedProfiles,
  ...expectedTroubles,
]
