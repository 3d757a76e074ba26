/** The words of the frame and of the queue, which stand on the first page, in Spanish. */
import type { FirstWords } from './english-first.ts'
import ageing from '../../src-shared/texts/es/ageing.json' with { type: 'json' }
import alarm from '../../src-shared/texts/es/alarm.json' with { type: 'json' }
import decision from '../../src-shared/texts/es/decision.json' with { type: 'json' }
import field from '../../src-shared/texts/es/field.json' with { type: 'json' }
import link from '../../src-shared/texts/es/link.json' with { type: 'json' }
import newCase from '../../src-shared/texts/es/newCase.json' with { type: 'json' }
import part from '../../src-shared/texts/es/part.json' with { type: 'json' }
import privacy from '../../src-shared/texts/es/privacy.json' with { type: 'json' }
import queue from '../../src-shared/texts/es/queue.json' with { type: 'json' }
import shell from '../../src-shared/texts/es/shell.json' with { type: 'json' }
import state from '../../src-shared/texts/es/state.json' with { type: 'json' }

export const spanishFirst: FirstWords = {
  ageing,
  alarm,
  decision,
  field,
  link,
  newCase,
  part,
  privacy,
  queue,
  shell,
  state,
}
