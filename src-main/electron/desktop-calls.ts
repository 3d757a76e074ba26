import { LANGUAGE_CALL } from '../../src-shared/place.ts'
import { succeed, type Result } from '../../src-shared/result.ts'
import type { HostLanguageSetting } from './host-speech.ts'

type Answer = (name: string, input: unknown) => Promise<Result<unknown>>

/** Answers the calls that are for the host and not for its station; they come on the same channel, with its checks. */
export function withDesktopCalls(answer: Answer, language: Pick<HostLanguageSetting, 'choose'>): Answer {
  return (name, input) => {
    if (name !== LANGUAGE_CALL) return answer(name, input)
    language.choose(input)
    return Promise.resolve(succeed({}))
  }
}
