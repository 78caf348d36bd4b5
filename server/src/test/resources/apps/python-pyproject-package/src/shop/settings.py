def load():
    return "shop"
