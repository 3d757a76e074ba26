import type { BodySize } from './visits.ts'

/** How the scene of a fault is to be. */
export type SceneWishes = {
  /** The sizes of the visits that the camera writes; two small ones unless told. */
  readonly visits?: readonly BodySize[]
  readonly centers?: 1 | 2
  /** Does the service show free text, so that the reference is seen? Decided by the seed unless told. */
  readonly isEchoing?: boolean
  readonly resendWhenProvenAbsent?: boolean
  readonly answerTimeoutSeconds?: number
  readonly listDelayMs?: number
}
