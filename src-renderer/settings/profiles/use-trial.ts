import { useDebouncedValue } from '@mantine/hooks'
import type { CallInput } from '../../../src-shared/contract.ts'
import type { ProfileTrial } from '../../../src-shared/profile-trial.ts'
import { useAnswer, type Answer } from '../../store/use-answer.ts'

/** Long enough for a word to be typed, short enough to feel live. */
const PAUSE_MS = 400

export type TrialInput = CallInput<'folders.tryProfile'>

/** Tries a profile once its typing pauses; null: nothing can be tried now, and what was tried before stays. */
export function useTrial(input: TrialInput | null): Answer<ProfileTrial> {
  const wanted = JSON.stringify(input)
  const [asked] = useDebouncedValue(wanted, PAUSE_MS)
  const answer = useAnswer('folders.tryProfile', JSON.parse(asked) as TrialInput | null)
  return { ...answer, isReading: answer.isReading || (input !== null && asked !== wanted) }
}
