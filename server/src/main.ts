// Where units and containers that were written for earlier versions begin.
import './main.js'
