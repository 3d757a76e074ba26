import { SPEAKS_CALL } from '../../src-shared/place.ts'
import { succeed, type Result } from '../../src-shared/result.ts'
import type { HostSpeech } from './host-speech.ts'

type Answer = (name: string, input: unknown) => Promise<Result<unknown>>

/** Answers the calls that are for the host and not for its station; they come on the same channel, with its checks. */
export function withDesktopCalls(answer: Answer, speech: Pick<HostSpeech, 'choose'>): Answer {
  return (name, input) => {
    if (name !== SPEAKS_CALL) return answer(name, input)
    speech.choose(input)
    return Promise.resolve(succeed({}))
  }
}
