/** The words of the frame and of the queue, which stand on the first page, in Spanish. */
import type { FirstWords } from './english-first.ts'
import ageing from '../words/es/ageing.json' with { type: 'json' }
import alarm from '../words/es/alarm.json' with { type: 'json' }
import decision from '../words/es/decision.json' with { type: 'json' }
import field from '../words/es/field.json' with { type: 'json' }
import link from '../words/es/link.json' with { type: 'json' }
import newCase from '../words/es/newCase.json' with { type: 'json' }
import part from '../words/es/part.json' with { type: 'json' }
import privacy from '../words/es/privacy.json' with { type: 'json' }
import queue from '../words/es/queue.json' with { type: 'json' }
import shell from '../words/es/shell.json' with { type: 'json' }
import state from '../words/es/state.json' with { type: 'json' }

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
