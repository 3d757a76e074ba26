/** The words of the frame and of the queue, which stand on the first page, in English. */
import ageing from './en/ageing.json' with { type: 'json' }
import alarm from './en/alarm.json' with { type: 'json' }
import decision from './en/decision.json' with { type: 'json' }
import field from './en/field.json' with { type: 'json' }
import link from './en/link.json' with { type: 'json' }
import newCase from './en/newCase.json' with { type: 'json' }
import part from './en/part.json' with { type: 'json' }
import privacy from './en/privacy.json' with { type: 'json' }
import queue from './en/queue.json' with { type: 'json' }
import shell from './en/shell.json' with { type: 'json' }
import state from './en/state.json' with { type: 'json' }

export const englishFirst = {
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

export type FirstWords = typeof englishFirst
