import { useDebouncedValue } from '@mantine/hooks'
import type { CallInput } from '../../../src-shared/contract.ts'
import type { ProfileDryRun } from '../../../src-shared/profile-trial.ts'
import { useAnswer, type Answer } from '../../store/use-answer.ts'

/** Long enough for a word to be typed, short enough to feel live. */
const PAUSE_MS = 400

export type DryRunInput = CallInput<'folders.tryProfile'>

/** Tries a profile once its typing pauses; null: nothing can be tried now, and what was tried before stays. */
export function useDryRun(input: DryRunInput | null): Answer<ProfileDryRun> {
  const wanted = JSON.stringify(input)
  const [asked] = useDebouncedValue(wanted, PAUSE_MS)
  const answer = useAnswer('folders.tryProfile', JSON.parse(asked) as DryRunInput | null)
  return { ...answer, isReading: answer.isReading || (input !== null && asked !== wanted) }
}
