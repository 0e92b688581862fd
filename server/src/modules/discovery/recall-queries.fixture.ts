// What people and agents type, and what they look for, in the market of `recall-market.fixture.ts`.

/** What nobody may find: handle/key | service or work | its state | title | text */
export const hidden = `
quill_quinn/invitations | service | closed | Wedding invitations in calligraphy | Forty cards in copperplate, envelopes included.
quill_quinn/alphabet | work | closed | A calligraphy alphabet | All letters in walnut ink, from wedding invitations of ten years.
gleb_znak/animaciya | service | draft | Анимированный логотип | Короткая анимация вашего знака для заставки.
mei_falv/kehu | work | private | 客户名单 | 客户名单和报价，只给自己看。
uwe_vertrag/eil | service | archived | Eilübersetzung über Nacht | Bis acht Uhr morgens, zum doppelten Preis.
`

/**
 * language | how it is asked | kind | query | what must be among the first ten; after a minus what must not be;
 * `nothing` where nothing may be found
 */
export const queries = `
en | forms | all | logo designer | lotte_marks lotte_marks/logo
en | forms | all | logos | lotte_marks lotte_marks/logo
en | extra | all | proofread my essay | proof_pete proof_pete/essay
en | typo | all | ilustration | iris_inks iris_inks/picture-book
en | typo | all | ilustrator for chilren book | iris_inks iris_inks/picture-book
en | extra | all | can somebody translate my contract please | mei_falv/contract
en | plain | all | contract review | legal_leo legal_leo/review
en | order | all | python data analysis | data_dina data_dina/report
en | extra | all | I need help with an excel formula that is broken | sheet_sam sheet_sam/formula
en | typo | all | exel spreadsheet | sheet_sam sheet_sam/formula
en | forms | all | backend developers rust | rusty_rex rusty_rex/service
en | part | all | postgres queue | rusty_rex/queue
en | forms | all | accessible forms screen readers | react_rosa react_rosa/forms
en | typo | all | penetraton test | pentest_paul
en | extra | all | who can check if my website is secure | pentest_paul/audit
en | forms | all | security auditing | pentest_paul pentest_paul/audit
en | forms | all | deducting taxes as a freelancer | tax_tina tax_tina/deduct
en | typo | all | bookeeping | tax_tina
en | forms | all | voice over for explainer videos | voice_vera voice_vera/narration
en | part | all | voiceover | voice_vera voice_vera/narration
en | typo | all | mixing an mastring | mix_milo mix_milo/master
en | extra | all | plan a trip by train through europe for my family | trip_toby trip_toby/week
en | order | all | plane without Lisbon | trip_toby/lisbon
en | forms | all | vegetarian recipes | chef_chidi chef_chidi/plan
en | typo | all | jolof rice | chef_chidi/jollof
en | forms | all | math tutoring | tutor_tess tutor_tess/lesson
en | part | all | derivat | tutor_tess/calculus
en | handle | all | @pixel_petra | pixel_petra
en | handle | agents | pixelpetra | pixel_petra
en | forms | all | game sprites 32x32 | pixel_petra pixel_petra/sprites
en | plain | all | slogan | ben_brandbook ben_brandbook/essay
en | extra | all | help me find a name for my startup | ben_brandbook/naming
en | typo | all | landing pge copywritter | copy_carla copy_carla/landing
en | forms | all | newsletters | copy_carla copy_carla/newsletter
en | forms | works | household budgets | sheet_sam/budget
en | typo | services | acessible date piker | react_rosa/component
en | order | all | children's picture book illustrations | iris_inks iris_inks/picture-book
en | extra | services | portrait of my dogs | iris_inks/portrait
en | nothing | all | plumber | nothing
en | nothing | all | calligraphy wedding invitations | -quill_quinn -quill_quinn/invitations -quill_quinn/alphabet
ru | forms | all | переводы | ivan_dogovor masha_perevod ivan_dogovor/contract
ru | forms | all | переводчик договоров | ivan_dogovor ivan_dogovor/contract
ru | extra | all | нужно перевести договор на английский | ivan_dogovor ivan_dogovor/contract
ru | typo | all | перевод догавора | ivan_dogovor ivan_dogovor/contract
ru | forms | all | логотипы | gleb_znak gleb_znak/logo
ru | extra | all | хочу логотип для кофейни | gleb_znak gleb_znak/logo gleb_znak/kofe
ru | typo | all | логатип | gleb_znak gleb_znak/logo
ru | forms | all | иллюстратор детских книг | sveta_risuet sveta_risuet/razvorot
ru | typo | all | илюстрации | sveta_risuet sveta_risuet/razvorot
ru | spelling | all | ежик | sveta_risuet/yozhik
ru | spelling | agents | репетитор Федор | fedor_uchit
ru | mixed | all | парсер python | python_pasha python_pasha/parser
ru | mixed | all | telegram бот | tg_timur tg_timur/bot
ru | plain | all | договор аренды | elena_pravo elena_pravo/arenda
ru | extra | all | кто может проверить договор аренды квартиры | elena_pravo elena_pravo/arenda
ru | forms | all | юристы | elena_pravo elena_pravo/arenda
ru | forms | all | налоговые декларации | nina_buh nina_buh/deklaraciya
ru | part | all | бухгалтер | nina_buh nina_buh/deklaraciya
ru | order | all | видео монтаж свадебный | oleg_kadr oleg_kadr/svadba
ru | mixed | all | SMM для пекарни | dasha_seti dasha_seti/pekarnya
ru | forms | all | стихотворение на юбилей | boris_rifma boris_rifma/yubiley
ru | typo | all | росшифровка аудио | vika_sluh vika_sluh/intervyu
ru | forms | services | вычитать диплом | korrektor_lev/diplom
ru | handle | all | korrektor_lev | korrektor_lev
ru | forms | works | запятые | korrektor_lev/zapyatye
ru | forms | all | тексты для сайта | anya_text anya_text/glavnaya
ru | nothing | all | ветеринар | nothing
ru | nothing | all | анимированный логотип | gleb_znak/logo -gleb_znak/animaciya
zh | plain | all | 合同翻译 | mei_falv mei_falv/hetong
zh | order | all | 翻译合同 | mei_falv mei_falv/hetong
zh | extra | all | 我想找人翻译一份合同 | mei_falv mei_falv/hetong
zh | part | agents | 翻译 | mei_falv lin_wenxue
zh | plain | all | 小说翻译 | lin_wenxue lin_wenxue/xiaoshuo
zh | plain | all | 标志设计 | chen_biaozhi chen_biaozhi/chaguan
zh | mixed | all | logo 设计 | chen_biaozhi/logo
zh | mixed | all | 餐厅LOGO | chen_biaozhi chen_biaozhi/logo
zh | plain | all | 儿童插画 | wang_huatu wang_huatu/fengmian
zh | extra | all | 请帮我画一本绘本 | wang_huatu wang_huatu/chunjie
zh | mixed | all | Excel数据分析 | liu_shuju liu_shuju/yuebao
zh | plain | all | 小程序开发 | zhao_chengxu zhao_chengxu/shangcheng
zh | plain | all | 小红书文案 | sun_wenan sun_wenan/biji
zh | plain | all | 论文润色 | zhou_runse zhou_runse/lunwen
zh | extra | all | 谁能修改我的英文论文？ | zhou_runse zhou_runse/lunwen
zh | plain | all | 广告配音 | huang_peiyin huang_peiyin/guanggao
zh | order | all | 七日云南 | wu_lvxing/yunnan
zh | part | works | 京都 | wu_lvxing/jingdu
zh | handle | all | mei_falv | mei_falv
zh | spelling | all | ＬＯＧＯ设计 | chen_biaozhi/logo
zh | nothing | all | 钢琴调音 | nothing
zh | nothing | all | 客户名单 | -mei_falv/kehu
de | forms | all | Übersetzungen | uwe_vertrag uwe_vertrag/vertrag ute_technik ute_technik/anleitung
de | spelling | all | uebersetzung vertrag | uwe_vertrag uwe_vertrag/vertrag
de | forms | all | Vertragsübersetzer | uwe_vertrag
de | extra | all | Ich suche jemanden, der meinen Vertrag übersetzt | uwe_vertrag uwe_vertrag/vertrag
de | typo | all | Bedinungsanleitung | ute_technik ute_technik/anleitung
de | spelling | all | Juergen Weiss | juergen_form
de | forms | all | Logos für Handwerker | juergen_form juergen_form/logo
de | forms | all | Korrektur Bachelorarbeit | greta_lektorat greta_lektorat/bachelor
de | part | all | Steuer | sabine_steuer sabine_steuer/erklaerung
de | spelling | all | Steuererklaerung Freiberufler | sabine_steuer sabine_steuer/erklaerung
de | forms | all | veganes Rezept | karl_kocht karl_kocht/woche
de | typo | all | Linsenbolonese | karl_kocht/linsen
de | plain | all | Java Datenbank | bernd_java bernd_java/migration
de | spelling | all | hoerbuch sprecher | heike_stimme heike_stimme/hoerbuch
de | spelling | all | moebelplanung | max_moebel max_moebel/grundriss
de | typo | all | Matematik Nachhilfe | nele_nachhilfe nele_nachhilfe/abitur
de | part | works | Märchen | heike_stimme/maerchen
de | handle | all | max moebel | max_moebel
de | nothing | all | Schornsteinfeger | nothing
de | nothing | all | Eilübersetzung über Nacht | -uwe_vertrag/eil
es | forms | all | traductor de contratos | sofia_traduce sofia_traduce/contrato
es | spelling | all | traduccion juridica | sofia_traduce
es | forms | all | carteles de festival | diego_carteles diego_carteles/cartel diego_carteles/jazz
es | extra | all | quiero un cuento para mis niños | lucia_cuentos lucia_cuentos/pez
es | typo | all | tipografia catel | diego_carteles diego_carteles/cartel
fr | forms | all | corriger mon mémoire | claire_relit claire_relit/memoire
fr | spelling | all | patisserie recettes | amelie_patisse amelie_patisse/gateau
fr | part | all | musique de film | hugo_compose
fr | plain | all | brioche | amelie_patisse amelie_patisse/brioche
fr | spelling | all | sans oeufs | amelie_patisse
`
