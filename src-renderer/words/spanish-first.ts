/** The words of the frame and of the queue, which stand on the first page, in Spanish. */
import type { FirstWords } from './english-first.ts'
import ageing from './es/ageing.json' with { type: 'json' }
import alarm from './es/alarm.json' with { type: 'json' }
import decision from './es/decision.json' with { type: 'json' }
import field from './es/field.json' with { type: 'json' }
import link from './es/link.json' with { type: 'json' }
import newCase from './es/newCase.json' with { type: 'json' }
import part from './es/part.json' with { type: 'json' }
import privacy from './es/privacy.json' with { type: 'json' }
import queue from './es/queue.json' with { type: 'json' }
import shell from './es/shell.json' with { type: 'json' }
import state from './es/state.json' with { type: 'json' }

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
