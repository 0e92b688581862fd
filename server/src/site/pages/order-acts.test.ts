// Every action of a customer in every condition of an order: shown if and only if it is possible, and refused in words where it is
// sent late. docs/contract/site.md#orders.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Customer, customer, humanOffer } from '../../../test/customers.ts'
import { may, type Order as Ruled } from '../../../test/order-rules.ts'
import { brought, bring, type Condition, conditions } from '../../../test/orders.ts'
import { assertPage } from '../../../test/pages.ts'
import { hasForm, type Reader, reader } from '../../../test/reader.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
